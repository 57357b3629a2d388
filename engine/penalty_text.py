"""Penalties in words, Chinese and English: what they are called and what they do. Source: RULEBOOKS 4.1, section 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.infraction_table import Measure
from engine.ladder import Penalty


@dataclass(frozen=True, slots=True)
class PenaltyText:
    """Title and effect, the effect in one sentence. A title with a number holds `{n}`, and `{s}` for its plural."""

    title_en: str
    title_zh: str
    effect_en: str
    effect_zh: str


PENALTIES: Final[Mapping[Penalty, PenaltyText]] = MappingProxyType(
    {
        Penalty.WARNING: PenaltyText(
            "warning",
            "警告",
            "It is recorded; two of one side in a round are a violation.",
            "记录在案；同一轮中一方累计两次警告计一次违例。",
        ),
        Penalty.VIOLATION: PenaltyText(
            "violation",
            "违例",
            "It is recorded; the offender's right-hand neighbour decides whether he is stopped from playing once; "
            "two of one side in a round are a foul.",
            "记录在案；由违规者的下家决定是否停止其出牌一次；同一轮中一方累计两次违例计一次犯规。",
        ),
        Penalty.LEVEL_REDUCTION: PenaltyText(
            "levels down, by a number that the referee enters (suggested: 1)",
            "降级，级数由裁判录入（建议1级）",
            "The offending side falls by the number of levels that the referee enters.",
            "违规方按裁判录入的级数降级。",
        ),
        Penalty.FOUL: PenaltyText(
            "foul",
            "犯规",
            "The deal ends with the offending side double-down; the next deal has no tribute and the offender's "
            "right-hand neighbour, or whom the referee names, leads it; "
            "two of one side in a round are an awarded defeat.",
            "本副牌结束，按违规方双下计；下副牌不进贡，由违规者的下家或裁判指定者领出；同一轮中一方累计两次犯规判负。",
        ),
        Penalty.AWARDED_DEFEAT: PenaltyText(
            "awarded defeat",
            "判负",
            "The round ends and the other side wins it, at least four levels ahead.",
            "本轮比赛结束，对方获胜，级数至少领先四级。",
        ),
        Penalty.FORFEIT: PenaltyText(
            "forfeit",
            "弃权",
            "The round is lost without play; two forfeits running cost the event.",
            "本轮不战而负；连续两轮弃权取消比赛资格。",
        ),
        Penalty.GAME_LOST: PenaltyText(
            "game lost",
            "本局判负",
            "The game ends and the other side wins it.",
            "本局比赛结束，对方获胜。",
        ),
        Penalty.DISQUALIFICATION: PenaltyText(
            "disqualification",
            "取消资格",
            "The pair is removed from the event by the organising committee on the referee's report.",
            "由裁判报告组委会，取消其比赛资格。",
        ),
    }
)
"""Every penalty, mildest first."""

NO_PENALTY: Final = PenaltyText("none", "不罚", "Nobody is penalised.", "不予处罚。")

STOPPED_ONE_TRICK: Final = PenaltyText(
    "may not play for one trick",
    "停止一圈出牌权",
    "The player neither leads nor follows for one whole trick; if he was to lead, the other side's next player does.",
    "该牌手停止一整圈的出牌权和跟牌权；应由其领出的，由对方顺序在先者领出。",
)
STOPPED_ONE_TURN: Final = PenaltyText(
    "may be stopped from playing once",
    "可停止出牌一次",
    "The player has to pass once, if his right-hand neighbour chooses so, alone.",
    "由下家独自决定，该牌手须过牌一次。",
)
ROLLED_BACK: Final = PenaltyText(
    "opponents may have play taken back to the report",
    "对方可要求退回报牌点重打",
    "Play goes on from where the report was due, if the opponents ask for it.",
    "对方要求时，从应报牌处重新打起。",
)
LEVELS_GAINED: Final = PenaltyText(
    "the other side gains {n} level{s}",
    "对方升{n}级",
    "The other side goes up by the levels named.",
    "对方按所定级数升级。",
)
OTHER_SIDE_DECLARES: Final = PenaltyText(
    "the other side declares next",
    "对方上台",
    "The next deal is played at the other side's level.",
    "下副牌打对方的级数。",
)
OTHER_SIDE_LEADS: Final = PenaltyText(
    "the other side leads the next deal",
    "下副牌由对方领出",
    "Which of the two leads the next deal is their choice, the offender's right-hand neighbour by default.",
    "下副牌由对方自行商定一人领出，未定则为违规者的下家。",
)
HAND_VOID: Final = PenaltyText(
    "the offender's hand is void",
    "违规者手牌作废",
    "The offender's cards do not count and he is last in this deal.",
    "违规者的手牌作废，本副牌列为末游。",
)
GAME_BY_POINTS: Final = PenaltyText(
    "the other side wins {n} to 0",
    "对方以{n}比0获胜",
    "The game ends and the other side gets all the level points.",
    "本局比赛结束，级差分全部归对方。",
)
POINTS_LOST: Final = PenaltyText(
    "the offender loses {n} point{s}",
    "违规者扣{n}分",
    "The offender's online points go down by the number named.",
    "违规者的网络积分按所定分数扣减。",
)
BOTH_LOSE_POINTS: Final = PenaltyText(
    "both sides lose {n} point{s}",
    "双方各扣{n}分",
    "The online points of both sides go down by the number named.",
    "双方的网络积分均按所定分数扣减。",
)
BARRED_FOR_TRICK: Final = PenaltyText(
    "may not play for the rest of the trick",
    "本圈不得再出牌",
    "The player passes until the trick ends, after a pass out of turn his partner too; after a play out of turn the "
    "partner may not lead that type next (penalties_o2).",
    "该牌手在本圈余下各轮只能过牌，未轮到而过牌的其对家亦同；未轮到而出牌的，对家下圈不得领出该牌型（penalties_o2）。",
)
REFEREE_DECIDES: Final = PenaltyText(
    "the referee decides",
    "由裁判裁定",
    "No text gives a figure for this case, so the referee chooses.",
    "规则未定具体处罚，由裁判裁定。",
)
CHIEF_REFEREE_DECIDES: Final = PenaltyText(
    "for the chief referee; if it is proved",
    "报裁判长；查实后",
    "A suspicion is no proof: the chief referee looks into it before anybody is penalised.",
    "疑点不等于事实，由裁判长查实后方可处罚。",
)
MEASURES: Final = (
    NO_PENALTY,
    STOPPED_ONE_TRICK,
    STOPPED_ONE_TURN,
    ROLLED_BACK,
    LEVELS_GAINED,
    OTHER_SIDE_DECLARES,
    OTHER_SIDE_LEADS,
    HAND_VOID,
    GAME_BY_POINTS,
    POINTS_LOST,
    BOTH_LOSE_POINTS,
    BARRED_FOR_TRICK,
    REFEREE_DECIDES,
    CHIEF_REFEREE_DECIDES,
)
"""What stands beside a penalty, or in its place."""


def words(measure: Measure) -> tuple[str, str]:
    """A measure as one line in English and in Chinese."""
    texts = [(PENALTIES[measure.penalty], 0)] if measure.penalty is not None else []
    if measure.stops_one_trick:
        texts.append((STOPPED_ONE_TRICK, 0))
    if measure.may_roll_back:
        texts.append((ROLLED_BACK, 0))
    if measure.opponent_levels:
        texts.append((LEVELS_GAINED, measure.opponent_levels))
    if measure.opponent_on_stage:
        texts.append((OTHER_SIDE_DECLARES, 0))
    if measure.opponent_leads_next_deal:
        texts.append((OTHER_SIDE_LEADS, 0))
    if measure.hand_void:
        texts.append((HAND_VOID, 0))
    if measure.opponent_points is not None:
        texts.append((GAME_BY_POINTS, measure.opponent_points))
    if measure.score_delta:
        texts.append((BOTH_LOSE_POINTS if measure.both_lose else POINTS_LOST, -measure.score_delta))
    chosen = texts or [(NO_PENALTY, 0)]
    english = [text.title_en.format(n=n, s="" if n == 1 else "s") for text, n in chosen]
    return "; ".join(english), "；".join(text.title_zh.format(n=n) for text, n in chosen)
