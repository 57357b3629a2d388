"""Findings: what the rules say of a fact, and the words for it in Chinese and English.

Names and severities: RULEBOOKS section 6. Suggested penalties are those of the competitive family (G-1); where no
figure is printed a warning is proposed. The engine never punishes: a person rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from engine.cards import Seat


class Severity(StrEnum):
    """How loud a finding is. Source: RULEBOOKS section 6."""

    INFO = "info"
    """Log only."""
    WARN = "warn"
    """On the referee's screen."""
    ALERT = "alert"
    """Stopping play is advised."""
    CRITICAL = "critical"
    """For the chief referee."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding and its words. `hidden`: it rests on hidden hands, so only referees may know of it."""

    code: str
    name: str
    severity: Severity
    title_en: str
    title_zh: str
    article: str
    suggested: str
    suggested_zh: str
    correction: str
    correction_zh: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """The engine's judgement on one fact. `detail` holds short English words, never cards of a hand."""

    name: str
    seat: Seat | None
    record: int
    """Journal number of the fact that is judged."""
    detail: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> Kind:
        return CATALOGUE[self.name]


_KINDS: Final = (
    Kind(
        code="F101",
        name="deck_count",
        severity=Severity.ALERT,
        title_en="The cards are not two whole packs",
        title_zh="牌张不是完整的两副牌",
        article="RULEBOOKS 2.1, I6",
        suggested="Warning",
        suggested_zh="警告",
        correction="Replace the wrong cards, shuffle and deal again.",
        correction_zh="更换牌张，重新洗牌、发牌。",
        hidden=True,
    ),
    Kind(
        code="F102",
        name="hand_count",
        severity=Severity.ALERT,
        title_en="A hand does not have the right number of cards",
        title_zh="手牌张数不对",
        article="RULEBOOKS 3.1 (count check), I5, D-8",
        suggested="If a player is at fault: foul. If the machine misdealt: none",
        suggested_zh="若系牌手造成：犯规；若系机器发错：不罚",
        correction="Stop, count all hands, deal again if a count is wrong.",
        correction_zh="停止打牌，清点各家手牌；张数有误则重新发牌。",
    ),
    Kind(
        code="F103",
        name="cut_redraw",
        severity=Severity.INFO,
        title_en="The turned-up card has to be drawn again",
        title_zh="翻出的牌须重抽",
        article="RULEBOOKS 3.1, D-2",
        suggested="None",
        suggested_zh="不罚",
        correction="The machine draws another card.",
        correction_zh="由机器重新抽取一张。",
        hidden=True,
    ),
    Kind(
        code="F201",
        name="not_a_combination",
        severity=Severity.ALERT,
        title_en="These cards are not a combination",
        title_zh="所出的牌不成牌型",
        article="竞技掼蛋竞赛规则 牌型设定; RULEBOOKS 2.3, I11",
        suggested="Warning",
        suggested_zh="警告",
        correction="Take the cards back; play anew or pass.",
        correction_zh="收回所出的牌，重新出牌或过牌。",
    ),
    Kind(
        code="F202",
        name="not_higher",
        severity=Severity.ALERT,
        title_en="This play does not beat the cards on the table",
        title_zh="所出的牌压不过上一手牌",
        article="竞技掼蛋竞赛规则 大小比较; RULEBOOKS 2.4, I11",
        suggested="Warning",
        suggested_zh="警告",
        correction="Take the cards back; play anew or pass.",
        correction_zh="收回所出的牌，重新出牌或过牌。",
    ),
    Kind(
        code="F203",
        name="card_not_in_hand",
        severity=Severity.CRITICAL,
        title_en="A card was played that was not dealt to this seat",
        title_zh="打出了未发给该座位的牌",
        article="RULEBOOKS section 6 card_not_in_hand, I18",
        suggested="Refer to the chief referee: suspected passed or smuggled card",
        suggested_zh="报裁判长处理：疑似换牌或夹带",
        correction="Stop play, keep the table as it is, check the hand out of the players' sight.",
        correction_zh="停止打牌，保持现场，避开牌手核对手牌。",
        hidden=True,
    ),
    Kind(
        code="F204",
        name="needs_declaration",
        severity=Severity.WARN,
        title_en="This play can be read in several ways",
        title_zh="所出的牌有多种解释，须声明",
        article="竞技掼蛋竞赛规则 级牌的插带使用; RULEBOOKS 2.5, C-10, I28",
        suggested="None; ask the player",
        suggested_zh="不罚；询问牌手",
        correction="Ask the player what the cards mean and enter it.",
        correction_zh="询问牌手所出为何种牌型，并录入。",
    ),
    Kind(
        code="F205",
        name="reading_assumed",
        severity=Severity.INFO,
        title_en="Read as the highest of several readings",
        title_zh="有多种解释，按最大者认定",
        article="RULEBOOKS 2.5, C-10.4",
        suggested="None",
        suggested_zh="不罚",
        correction="Nothing has to be done; a declaration would have come first.",
        correction_zh="无须处理；如有声明则以声明为准。",
    ),
    Kind(
        code="F301",
        name="turn_order",
        severity=Severity.ALERT,
        title_en="Played or passed out of turn",
        title_zh="未轮到即出牌或过牌",
        article="竞技掼蛋竞赛规则 出牌规则; RULEBOOKS 2.6, P-4, I9",
        suggested="By the penalty ladder, beginning with a warning",
        suggested_zh="按处罚阶梯处理，首次警告",
        correction="Take the act back; the player in turn goes on.",
        correction_zh="收回，由轮到者继续。",
    ),
    Kind(
        code="F302",
        name="first_leader",
        severity=Severity.WARN,
        title_en="The wrong player leads the first trick",
        title_zh="首圈领出者错误",
        article="RULEBOOKS 3.1, D-1, D-7",
        suggested="Warning",
        suggested_zh="警告",
        correction="Take the cards back; the drawn leader leads.",
        correction_zh="收回，由抽定的首家领出。",
    ),
    Kind(
        code="F303",
        name="leader_wrong",
        severity=Severity.WARN,
        title_en="The wrong player leads this trick",
        title_zh="本圈领出者错误",
        article="竞技掼蛋竞赛规则 借风出牌; RULEBOOKS 2.6, P-5",
        suggested="Warning",
        suggested_zh="警告",
        correction="Take the cards back; the rightful leader leads.",
        correction_zh="收回，由应领出者领出。",
    ),
    Kind(
        code="F304",
        name="finish_order",
        severity=Severity.INFO,
        title_en="The deal is over",
        title_zh="本副牌结束，名次已定",
        article="RULEBOOKS 2.6",
        suggested="None",
        suggested_zh="不罚",
        correction="Nothing has to be done.",
        correction_zh="无须处理。",
    ),
    Kind(
        code="F305",
        name="trick_end",
        severity=Severity.INFO,
        title_en="A pass where a lead is due",
        title_zh="应领出者过牌",
        article="RULEBOOKS 2.6, section 6 trick_end",
        suggested="None",
        suggested_zh="不罚",
        correction="The leader has to lead; the pass does not count.",
        correction_zh="领出者必须出牌，该次过牌无效。",
    ),
    Kind(
        code="F401",
        name="level_change",
        severity=Severity.INFO,
        title_en="Levels after the deal",
        title_zh="本副牌后的级数",
        article="竞技掼蛋竞赛规则 升级、过A; RULEBOOKS 3.5, U-1, U-4",
        suggested="None",
        suggested_zh="不罚",
        correction="Compare with the score sheet before players leave the table.",
        correction_zh="牌手离桌前与记分表核对。",
    ),
)

CATALOGUE: Final[Mapping[str, Kind]] = MappingProxyType({kind.name: kind for kind in _KINDS})
"""Every kind of finding by name."""
