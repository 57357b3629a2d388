"""Write the page of all findings: `python tests/engine/make_findings_page.py` from the project's root.

The page is made from the catalogue and from what is suggested under each rulebook, so that it cannot say otherwise than
a referee's screen; `test_engine_findings_page.py` compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from engine.findings import CATALOGUE, Input, Kind
from engine.penalty_text import MEASURES, PENALTIES, PenaltyText
from engine.proposals import EXCHANGE, Circumstances, DrawState
from engine.rulebook import Rulebook
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.suggestions import Suggestion, suggested
from engine.timing import Timed, limit_s

PAGE = Path(__file__).resolve().parents[2] / "docs" / "findings.md"

INTRO = """# Findings

Everything that the table can say of what happened, with its code, and what a referee is offered on it. The engine
suggests; a person rules. Made by `python tests/engine/make_findings_page.py`. Section and decision numbers (I9, X-2)
are those of the rules specification.

* **Severity**: `info` is logged only, `warn` stands on the referee's screen, `alert` advises to stop play, `critical`
  is for the chief referee.
* **Judged from**: **a** the dealt hands, **b** the camera, **c** the clocks, **d** a person. *By person*: no machine
  notices it.
* **Referees only**: it would tell players of a hidden hand.
* **Suggested**: one row for rulebooks that say the same; *1st*, *2nd* ... is how often the pair has been penalised for
  it in this match, the last one going for all further ones. A rulebook in brackets is the one that it was taken from.
  \\* no text prints a figure: the referee may well leave it. A rulebook whose rules cannot be broken in this way is
  left out. The penalty ladder is counted beside this, except for sequences of a rulebook's own (docs/refereeing.md).
"""

GROUPS = {
    "1": "Dealing",
    "2": "Play",
    "3": "Order and time",
    "4": "Tribute and level",
    "5": "Conduct and score",
}

ANYHOW = ((("", ""), Circumstances()),)
VARIANTS = {
    **dict.fromkeys(
        EXCHANGE,
        (
            (("before play", "未开打"), Circumstances()),
            (("after play began", "已开打"), Circumstances(play_started=True)),
        ),
    ),
    "draw_out_of_turn": (
        (("put back unseen", "未看即退回"), Circumstances(draw_state=DrawState.RETURNED_UNSEEN)),
        (("seen", "已看牌"), Circumstances(draw_state=DrawState.CARD_SEEN)),
        (("in the hand", "已入手"), Circumstances(draw_state=DrawState.IN_HAND)),
    ),
    "exposed_card": (
        (("a card", "单张"), Circumstances()),
        (("the hand", "整手"), Circumstances(hand_shown=True)),
    ),
    "late_arrival": tuple(
        ((f"{late} min", f"{late}分钟"), Circumstances(minutes_late=late)) for late in (5, 10, 11, 16)
    ),
}
"""What a suggestion depends on beside its number, where it does, in English and Chinese."""

TIMES = {
    "tribute_late": Timed.TRIBUTE,
    "return_late": Timed.RETURN,
    "lead_late": Timed.FIRST_LEAD,
    "play_late": Timed.PLAY,
}
ORDINALS = (("1st", "第1次"), ("2nd", "第2次"), ("3rd", "第3次"), ("4th", "第4次"))


def page() -> str:
    """The whole page as Markdown."""
    books = [load_rulebook(name) for name in known_rulebooks()]
    lines = [INTRO, *_overview(), *_penalties()]
    for group, kinds in groupby(CATALOGUE.values(), key=lambda kind: kind.code[1]):
        lines += [f"## {GROUPS[group]} (F{group}xx)", ""]
        for kind in kinds:
            lines += _finding(kind, books)
    return "\n".join(lines).rstrip() + "\n"


def _overview() -> Iterator[str]:
    yield from ("| code | name | severity | finding | 判定 |", "|---|---|---|---|---|")
    for kind in CATALOGUE.values():
        yield f"| {kind.code} | `{kind.name}` | {kind.severity} | {kind.title_en} | {kind.title_zh} |"
    yield ""


def _penalties() -> Iterator[str]:
    yield from ("## Penalties", "", "| penalty | 处罚 | effect | 效果 |", "|---|---|---|---|")
    yield from (_effect(text) for text in PENALTIES.values())
    yield from ("", "What stands beside a penalty, or in its place:", "")
    yield from ("| measure | 措施 | effect | 效果 |", "|---|---|---|---|")
    yield from (_effect(text) for text in MEASURES)
    yield ""


def _effect(text: PenaltyText) -> str:
    english, chinese = text.title_en.format(n="n", s="s"), text.title_zh.format(n="n")
    return f"| {english} | {chinese} | {text.effect_en} | {text.effect_zh} |"


def _finding(kind: Kind, books: list[Rulebook]) -> Iterator[str]:
    yield from (f"### {kind.code} `{kind.name}`", "", f"**{kind.title_en}.** {kind.title_zh}。", "")
    yield f"* {_about(kind)}"
    yield f"* {kind.article}"
    yield f"* Put right: {kind.correction} {kind.correction_zh}"
    yield from ("", "| rulebook | suggested | 建议 |", "|---|---|---|")
    rows: dict[tuple[str, str], list[str]] = {}
    for book in books:
        if _applies(kind.name, book):
            rows.setdefault(_row(kind, book), []).append(_name(kind, book))
    everywhere = [f"`{book.id}`" for book in books]
    for (english, chinese), names in rows.items():
        yield f"| {'every one' if names == everywhere else ', '.join(names)} | {english} | {chinese} |"
    yield ""


def _about(kind: Kind) -> str:
    inputs = ", ".join(kind.inputs) or "other findings"
    marks = [f"`{kind.severity}`", f"judged from {inputs}"]
    if kind.by_person:
        marks.append("by person")
    elif Input.PERSON in kind.inputs and len(kind.inputs) > 1:
        marks.append("in part by person")
    if kind.hidden:
        marks.append("referees only")
    return "; ".join(marks)


def _name(kind: Kind, book: Rulebook) -> str:
    owner = suggested(kind.name, book).inherited_from
    return f"`{book.id}`" + (f" ({owner})" if owner not in {None, "core"} else "")


def _row(kind: Kind, book: Rulebook) -> tuple[str, str]:
    """What is suggested, by circumstances, with a correction of the rulebook's own; in English and Chinese."""
    said = [(label, _sequence(kind.name, book, about)) for label, about in VARIANTS.get(kind.name, ANYHOW)]
    if len({_line("", row, 0) for _, row in said}) == 1:
        said = [(("", ""), said[0][1])]
    lines = [[_line(label[language], row, language) for label, row in said] for language in (0, 1)]
    own = said[0][1][0]
    if own.correction_en != kind.correction:
        lines[0].append(f"put right: {own.correction_en}")
        lines[1].append(f"纠正：{own.correction_zh}")
    return "<br>".join(lines[0]), "<br>".join(lines[1])


def _sequence(name: str, book: Rulebook, about: Circumstances) -> list[Suggestion]:
    """What is suggested the first time, the second ..., without further ones that are the same."""
    row = [suggested(name, book, number, about) for number in range(1, len(ORDINALS) + 1)]
    while len(row) > 1 and row[-1] == row[-2]:
        row.pop()
    return row


def _line(label: str, row: list[Suggestion], language: int) -> str:
    texts = [(found.penalty_en, found.penalty_zh)[language] for found in row]
    runs = [(text, next(run)[0]) for text, run in groupby(enumerate(texts), key=lambda item: item[1])]
    said = "<br>".join(f"{ORDINALS[i][language]}: {text}" for text, i in runs) if len(runs) > 1 else texts[0]
    unprinted = row[0].infraction is not None and not row[0].printed
    return (f"*{label}*: " if label else "") + said + (" \\*" if unprinted else "")


def _applies(name: str, book: Rulebook) -> bool:
    """Whether the rulebook has the rule that this finding is about."""
    if name in TIMES:
        return limit_s(TIMES[name], book) is not None
    if name in {*EXCHANGE, "tribute_due", "anti_tribute"}:
        return book.tribute
    if name == "report_volunteered":
        return book.report_volunteering == "forbidden"
    if name == "report_repeat":
        return "forbidden" in {book.report_repeat_questions, book.report_volunteering}
    if name.startswith("report_"):
        return book.report_threshold is not None
    return name != "too_many_cards" or book.max_cards_per_play < 10


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
