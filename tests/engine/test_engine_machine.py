"""Whole deals and matches under every rulebook, by any mixture of lawful acts, faults and rulings.

The fold never raises, every card stays accounted for while people keep the rules, and the same facts always give the
same match and the same findings.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.advance import advance
from engine.cards import PACKS, PLAY_ORDER, Card, Level, Seat
from engine.exchange import BIG_JOKER, Terms, take
from engine.facts import (
    CardDealt,
    CardReturned,
    CardsLaid,
    CountReported,
    DealAwarded,
    DealCompleted,
    DealStarted,
    Declared,
    Fact,
    FinishEntered,
    HandConfirmed,
    HandTaken,
    Held,
    JokersShown,
    Judgement,
    LeaderDrawn,
    LeaderNamed,
    MatchStarted,
    Passed,
    Resumed,
    Ruled,
    TimeCalled,
    TributeGiven,
)
from engine.findings import CATALOGUE, Finding
from engine.legal import legal_for
from engine.rulebook_data import known_rulebooks, load_rulebook
from engine.state import NOTICED, Deal, Match, Phase
from engine.tribute import return_options, tribute_options

SEATS = st.sampled_from(PLAY_ORDER)
PICK = st.integers(0, 10_000)
SHORT = 40
"""Examples a rulebook in the short form."""
HAPPENINGS = ("hold", "resume", "leader", "foul", "time")


class MatchMachine(RuleBasedStateMachine):
    """One match; `rulebook_id` is set by the subclasses."""

    rulebook_id = "core"

    def __init__(self) -> None:
        super().__init__()
        self.book = load_rulebook(self.rulebook_id)
        self.facts: list[Fact] = []
        self.said: list[Finding] = []
        self.match: Match | None = None
        self.lawful = True
        """Whether every act of this deal has kept the rules, so that all hands and counts must be right."""
        self.laid: list[Card] = []
        self.wild = False

    def tell(self, fact: Fact) -> tuple[Finding, ...]:
        self.facts.append(fact)
        outcome = advance(self.match, fact, self.book, len(self.facts))
        self.match = outcome.state
        self.said += outcome.findings
        for finding in outcome.findings:
            assert finding.name in CATALOGUE
            assert 0 < finding.record <= len(self.facts)
        return outcome.findings

    @property
    def deal(self) -> Deal:
        assert self.match is not None
        assert self.match.deal is not None
        return self.match.deal

    def phase_is(self, *phases: Phase) -> bool:
        return self.match is not None and self.match.deal is not None and self.match.deal.phase in phases

    @initialize(
        limit=st.none() | st.integers(1, 4), knock_out=st.booleans(), seed=PICK, read=st.booleans(), wild=st.booleans()
    )
    def begin(self, limit: int | None, knock_out: bool, seed: int, read: bool, wild: bool) -> None:
        """`wild`: this match knows faults and rulings; otherwise people keep the rules to its end."""
        book = self.book
        self.wild = wild
        self.tell(
            MatchStarted(book.id, book.hash, PLAY_ORDER, book.first_level, book.first_level, limit, knock_out, NOTICED)
        )
        self.new_deal(seed, read)

    @rule(seed=PICK, read=st.booleans())
    @precondition(lambda self: self.match is None or self.match.deal is None or self.match.deal.is_over)
    def new_deal(self, seed: int, read: bool) -> None:
        assert self.match is not None
        random, score = Random(seed), self.match.score
        pack = random.sample(PACKS, 108)
        level = score.levels[score.declarer] if score.declarer is not None else self.book.first_level
        before = self.match
        self.tell(DealStarted(score.deals_done + 1, level, score.declarer, "seeded", ""))
        if before.is_over:
            assert self.match == before
            return
        for index, card in enumerate(pack):
            self.tell(CardDealt(index, PLAY_ORDER[index % 4], card if read else None))
        self.tell(DealCompleted(tuple((seat, 27) for seat in PLAY_ORDER)))
        if not score.finishes:
            index = next(index for index, card in enumerate(pack) if card not in self.book.redraw_on)
            self.tell(LeaderDrawn(index, PLAY_ORDER[index % 4]))
        for seat in PLAY_ORDER:
            self.tell(HandTaken(seat))
            self.tell(HandConfirmed(seat))
        self.lawful, self.laid = read, []
        assert self.deal.phase in {Phase.TRIBUTE, Phase.PLAYING}
        assert (self.deal.phase is Phase.TRIBUTE) == (self.deal.exchange is not None)

    @rule(pick=PICK)
    @precondition(lambda self: self.phase_is(Phase.TRIBUTE) and self.lawful)
    def exchange(self, pick: int) -> None:
        """The next lawful step of the exchange raises nothing above info."""
        deal, random = self.deal, Random(pick)
        exchange = deal.exchange
        assert exchange is not None
        if exchange.anti:
            holders = tuple(seat for seat in exchange.payers if BIG_JOKER in (deal.hands[seat] or ()))
            assert not self.tell(JokersShown(holders))
            return
        given = {handover.seat for handover in exchange.given}
        owing = [seat for seat in exchange.payers if seat not in given]
        if owing:
            seat = random.choice(owing)
            options = tribute_options(deal.hands[seat] or (), deal.level, exempt_wild=self.book.tribute_exempt_wild)
            assert not self.tell(TributeGiven(seat, random.choice(options)))
            return
        taking = take(exchange, Terms(deal.level, PLAY_ORDER, self.book))
        assert taking is not None
        payer, taker = random.choice([(p, t) for p, t in taking.takers.items() if t not in given])
        options = return_options(deal.hands[taker] or (), deal.level, taker, payer, self.book)
        assert not self.tell(CardReturned(taker, payer, random.choice(options)))

    @rule(pick=PICK, acts=st.integers(1, 120))
    @precondition(lambda self: self.phase_is(Phase.PLAYING) and self.deal.pending is None)
    def play_on(self, pick: int, acts: int) -> None:
        """While all keep the rules, lawful acts raise only what is said of reports, arrangement and ambiguous sets."""
        random = Random(pick)
        for _ in range(acts):
            if self.deal.is_over or self.match is None or self.deal.turn is None:
                return
            seat = self.deal.turn
            plays = legal_for(self.match, seat, self.book)
            lead = self.deal.trick is not None and self.deal.trick.current is None
            if plays and (lead or random.random() < 0.7):
                play = random.choice(plays)
                found = self.tell(CardsLaid(seat, play.cards))
                if self.deal.pending is not None:
                    found = (*found, *self.tell(Declared(seat, play.reading)))
                self.laid += play.cards
            elif lead and not plays:
                found = self.tell(CardsLaid(seat, (random.choice(PACKS),)))  # the hand is not known
            else:
                found = self.tell(Passed(seat))
            allowed = {"needs_declaration", "bad_arrangement", *(name for name in NOTICED if name.startswith("report"))}
            wrong = {finding.name for finding in found if finding.kind.severity != "info"} - allowed
            assert not wrong or not self.lawful, (seat, wrong)
            assert self.deal.pending is None or not self.lawful

    @rule(seat=SEATS, picks=st.lists(PICK, max_size=6))
    @precondition(lambda self: self.wild and self.phase_is(Phase.PLAYING, Phase.TRIBUTE))
    def anything_is_laid(self, seat: Seat, picks: list[int]) -> None:
        self.lawful = False
        hand = self.deal.hands[seat] or PACKS
        cards = tuple(hand[pick % len(hand)] for pick in dict.fromkeys(picks))
        self.tell(CardsLaid(seat, cards) if cards else Passed(seat))

    @rule(seat=SEATS, to=SEATS, pick=PICK)
    @precondition(lambda self: self.wild and self.phase_is(Phase.TRIBUTE))
    def anything_is_given(self, seat: Seat, to: Seat, pick: int) -> None:
        self.lawful = False
        card = PACKS[pick % 108]
        self.tell(TributeGiven(seat, card) if pick % 3 else CardReturned(seat, to, card))

    @rule(seat=SEATS, count=st.integers(0, 28))
    @precondition(lambda self: self.wild and self.match is not None)
    def a_number_is_told(self, seat: Seat, count: int) -> None:
        self.tell(CountReported(seat, count))

    @rule(back=st.integers(0, 6), judgement=st.sampled_from(list(Judgement)))
    @precondition(lambda self: self.wild and self.match is not None)
    def the_referee_rules(self, back: int, judgement: Judgement) -> None:
        self.lawful = False
        self.tell(Ruled("", max(1, len(self.facts) - back), None, judgement, "referee"))

    @rule(order=st.permutations(PLAY_ORDER))
    @precondition(lambda self: self.phase_is(Phase.PLAYING, Phase.TRIBUTE))
    def the_scorer_enters_the_places(self, order: list[Seat]) -> None:
        self.tell(FinishEntered(tuple(order), "scorer"))
        assert self.deal.is_over

    @rule(seat=SEATS, what=st.sampled_from(HAPPENINGS), rare=st.integers(0, 9))
    @precondition(lambda self: self.match is not None)
    def something_else_happens(self, seat: Seat, what: str, rare: int) -> None:
        facts: dict[str, Fact] = {
            "hold": Held("referee"),
            "resume": Resumed("referee"),
            "leader": LeaderNamed(seat, "referee"),
            "foul": DealAwarded(seat, "referee"),
            "time": TimeCalled("referee"),
        }
        if what in {"hold", "resume"}:
            self.tell(facts[what])
        elif self.wild and rare == 0:
            self.lawful = False
            self.tell(facts[what])

    @invariant()
    def the_state_is_whole(self) -> None:
        if self.match is None or self.match.deal is None:
            return
        deal, score = self.match.deal, self.match.score
        assert len(set(deal.finish)) == len(deal.finish)
        assert deal.turn is None or deal.turn not in deal.finish
        assert all(size >= 0 for size in deal.hand_sizes.values())
        for seat, hand in deal.hands.items():
            assert hand is None or len(hand) == deal.hand_sizes[seat] or not self.lawful
        assert all(Level.TWO <= level <= Level.PAST_ACE for level in score.levels.values())
        assert score.deals_done == len(score.finishes)
        assert (score.declarer is None) == (not score.finishes)
        assert score.declarer is None or score.declarer is score.last_finish[0].pair

    @invariant()
    def every_card_is_accounted_for(self) -> None:
        if self.match is None or not self.lawful or not self.phase_is(Phase.PLAYING):
            return
        held = [card for hand in self.deal.hands.values() for card in hand or ()]
        assert Counter([*held, *self.laid]) == Counter(PACKS)

    def teardown(self) -> None:
        match: Match | None = None
        said: list[Finding] = []
        for record, fact in enumerate(self.facts, 1):
            outcome = advance(match, fact, self.book, record)
            match = outcome.state
            said += outcome.findings
        assert (match, said) == (self.match, self.said)


@pytest.mark.parametrize("name", known_rulebooks())
@pytest.mark.parametrize(
    ("examples", "steps"), [(SHORT, 40), pytest.param(1000, 60, marks=[pytest.mark.sweep, pytest.mark.timeout(3000)])]
)
def test_any_course_of_a_match_is_taken(name: str, examples: int, steps: int) -> None:
    machine = type(f"Machine of {name}", (MatchMachine,), {"rulebook_id": name})

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=examples == SHORT,  # new courses are hunted by the sweep
            suppress_health_check=list(HealthCheck),
        ),
    )
