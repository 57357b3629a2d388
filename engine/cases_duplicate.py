"""Judge of cases about duplicate boards: topic `duplicate`, which RULEBOOKS section 11 does not list.

A match of two teams: `given.results` is a list of objects `board` (a whole number), `room` (`A` or `B`), `cards` (id of
the deal that was on the table) and `finish`. Answers: `swings` by board in ascending order, `total`, `winner` (`home`,
`away` or null), `match_points` of home and away, `left_out` (board and reason of each that does not count).

A field of tables: `given.tables` is a list of objects `table`, `cards`, `ns`, `ew` (names of the pairs) and `finish`,
all of one board. Answers by pair: `field_points`, `most`, `against_datum`.

A board is worth the steps of the rulebook. Source: RULEBOOKS section 8, T-11; `engine.duplicate`.
"""

from __future__ import annotations

from engine.case_reader import Answer, BadCase, CaseReader, Json
from engine.duplicate import BadResult, Room, RoomResult, TableResult, score_field, score_teams
from engine.rulebook import Rulebook


def judge_duplicate(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    """The answers about a team match, or about a field where `given` has tables. Raises BadCase."""
    try:
        return _field(read, given, rulebook) if "tables" in given else _teams(read, given, rulebook)
    except BadResult as error:
        raise BadCase(read.name, str(error)) from error


def _teams(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    results = [
        RoomResult(
            read.whole(result, "board"),
            read.choice(result, "room", Room),
            read.text(result, "cards"),
            read.seats(result, "finish"),
        )
        for result in read.tables(given, "results")
    ]
    score = score_teams(results, rulebook.steps)
    return {
        "swings": [board.swing for board in score.boards],
        "total": score.total,
        "winner": score.winner,
        "match_points": list(score.match_points()),
        "left_out": [[board, reason.value] for board, reason in score.left_out],
    }


def _field(read: CaseReader, given: Json, rulebook: Rulebook) -> Answer:
    results = [
        TableResult(
            read.text(result, "table"),
            read.text(result, "cards"),
            read.text(result, "ns"),
            read.text(result, "ew"),
            read.seats(result, "finish"),
        )
        for result in read.tables(given, "tables")
    ]
    scores = score_field("of the case", results, rulebook.steps)
    return {
        "field_points": {score.pair: score.match_points for score in scores},
        "most": {score.pair: score.most for score in scores},
        "against_datum": {score.pair: score.against_datum for score in scores},
    }
