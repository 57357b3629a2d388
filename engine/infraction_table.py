"""The table of infractions as data: offences, and what each rulebook prints on them. Source: RULEBOOKS section 5.

Rulebooks are named by id, both stages of `anhui-league` as one. A pair of rulebook and infraction that does not stand
here is silence; `engine.infractions` fills it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.ladder import Penalty


@dataclass(frozen=True, slots=True)
class Measure:
    """What one occurrence costs."""

    penalty: Penalty | None = None
    stops_one_trick: bool = False
    """The player may not play for one whole trick (X-6)."""
    may_roll_back: bool = False
    """Opponents may have play taken back to the point where the report was due."""
    opponent_levels: int = 0
    opponent_on_stage: bool = False
    """The other side declares next."""
    opponent_leads_next_deal: bool = False
    """Which of the two leads is their choice, the offender's right-hand neighbour by default (X-8)."""
    opponent_points: int | None = None
    """The game is lost by this many points."""
    score_delta: int = 0
    """Change of the offender's online points, 0 or below."""
    both_lose: bool = False
    """`score_delta` goes for both sides."""


@dataclass(frozen=True, slots=True)
class Offence:
    """An infraction in words; `correction` names what puts the table right where a rulebook has no other."""

    title_en: str
    title_zh: str
    correction: str


@dataclass(frozen=True, slots=True)
class Line:
    """What one rulebook prints on one infraction: measures by occurrence, the last for all further ones.

    place: where it is printed, written as in RULEBOOKS 0.1. printed: False where the text forbids without a figure.
    meaning_from: the rulebook that gives the meaning, if it is another one.
    """

    measures: tuple[Measure, ...]
    place: str
    printed: bool = True
    correction: str | None = None
    meaning_from: str | None = None


CORRECTIONS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "return_card": ("Put the card back and go on in the right order.", "退回该牌，恢复抓牌次序。"),
        "rightful_drawer_takes_random_card": (
            "The rightful drawer takes a card at random from the offender's hand.",
            "由应抓牌者从违规者手中随机抽取一张。",
        ),
        "reshuffle_redraw": ("Shuffle and deal again.", "重新洗牌、抓牌。"),
        "change_cards_reshuffle_redraw": ("Change the cards, shuffle and deal again.", "换牌，重新洗牌、抓牌。"),
        "replace_cards_reshuffle_redraw": (
            "Replace the wrong cards, shuffle and deal again.",
            "更换牌张，重新洗牌、抓牌。",
        ),
        "short_hand_draws_from_long_hand": (
            "Before first's first play the short hand draws at random from the long one.",
            "首家出牌前，由少牌者从多牌者手中随机抽取。",
        ),
        "take_back_and_give_correct_card": ("Take the card back and give the right one.", "收回，改进（还）应付的牌。"),
        "referee_decides": ("The referee decides.", "由裁判裁定。"),
        "take_back": ("Take the act back; the player in turn goes on.", "收回，由轮到者继续。"),
        "lay_properly": ("Lay the cards properly.", "按规定重新摆放。"),
        "take_back_play_anew": ("Take the cards back; play anew or pass.", "收回所出的牌，重新出牌或过牌。"),
        "report_and_replay": (
            "Report; replay from there if the opponents ask for it.",
            "补报；对方要求时从报牌点重打。",
        ),
        "refuse_answer": ("Give no answer.", "拒绝回答。"),
        "answer_opponent": ("Answer the opponent's question.", "如实回答对方的询问。"),
        "none": ("Nothing has to be done on the table.", "牌桌上无须处理。"),
        "pass_properly": ("Pass again in the proper form.", "按规定形式重新表示过牌。"),
        "close_pile": ("Close the pile.", "合上弃牌。"),
        "restore_redeal": ("Restore the cards and deal again.", "恢复牌张，重新发牌。"),
        "repeat_shuffle_or_cut": ("Shuffle or cut again.", "重新洗牌或切牌。"),
        "declare": ("Say what the cards mean.", "声明所出为何种牌型。"),
    }
)
"""Corrections in English and Chinese, by name."""

_W, _V, _F = (Measure(penalty) for penalty in (Penalty.WARNING, Penalty.VIOLATION, Penalty.FOUL))
_NONE = Measure()
_V_STOP = Measure(Penalty.VIOLATION, stops_one_trick=True)
_DOWN = Measure(Penalty.LEVEL_REDUCTION)
_FORFEIT, _LOST, _OUT = (Measure(penalty) for penalty in (Penalty.FORFEIT, Penalty.GAME_LOST, Penalty.DISQUALIFICATION))

TITLES: Final[Mapping[str, Offence]] = MappingProxyType(
    {
        "I1": Offence("Card drawn out of turn and put back unseen", "错抓未看即退回", "return_card"),
        "I2": Offence("Card drawn out of turn and seen", "错抓并已看牌", "return_card"),
        "I3": Offence(
            "Card drawn out of turn and taken into the hand", "错抓并已入手", "rightful_drawer_takes_random_card"
        ),
        "I4": Offence("Misdeal", "发牌有误", "reshuffle_redraw"),
        "I5": Offence("A hand is not 27 cards", "手牌不是27张", "reshuffle_redraw"),
        "I6": Offence("The pack is not 108 cards", "整副牌不是108张", "replace_cards_reshuffle_redraw"),
        "I7": Offence(
            "Wrong tribute or return, before play", "进贡或还贡有误，未开打", "take_back_and_give_correct_card"
        ),
        "I8": Offence("Wrong tribute or return, after play began", "进贡或还贡有误，已开打", "referee_decides"),
        "I9": Offence("Played or passed out of turn", "未轮到即出牌或过牌", "take_back"),
        "I10": Offence("Wrong manner of play", "出牌方式不当", "lay_properly"),
        "I11": Offence("Illegal or too small combination", "牌型不合或压不过", "take_back_play_anew"),
        "I12": Offence("Not reported", "未报牌", "report_and_replay"),
        "I13": Offence("Asking or answering after the report", "报牌后再询问或回答", "refuse_answer"),
        "I14": Offence("Volunteering the count", "主动透露余牌数", "none"),
        "I15": Offence("Wrong or changing form of pass", "过牌形式不当", "pass_properly"),
        "I16": Offence("Looking at or showing discards", "翻看或展示弃牌", "close_pile"),
        "I17": Offence("Passing illegal information", "传递非法信息", "none"),
        "I18": Offence("Hidden, smuggled or extra card", "藏牌、夹带或多牌", "restore_redeal"),
        "I19": Offence("Exposing the hand", "亮牌", "none"),
        "I20": Offence("Substitution", "替换牌手", "none"),
        "I21": Offence("Overtime", "超时", "none"),
        "I22": Offence("Late", "迟到", "none"),
        "I23": Offence("Withdrawal before the start", "赛前退赛", "none"),
        "I24": Offence("Two forfeits running or two awarded defeats", "连续两轮弃权或两次判负", "none"),
        "I25": Offence("Irregular shuffle or cut", "洗牌或切牌不合规", "repeat_shuffle_or_cut"),
        "I26": Offence("Disturbance or disobedience", "扰乱赛场或不服从裁判", "none"),
        "I28": Offence("Wild not announced", "逢人配未声明", "declare"),
    }
)
"""Every infraction by number. I27 is a slip of translation and no offence."""

DOCUMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "national-2017": "淮安掼蛋竞赛规则（2017）",
        "competitive-2022": "竞技掼蛋竞赛规则（试行）2022",
        "jiangsu-simple": "江苏省掼蛋比赛简易规则",
        "huaian-online": "淮安掼蛋网络平台规则",
        "anqing-2015": "安庆高校掼蛋比赛规程（2015）",
        "anhui-league": "安徽掼蛋联赛规程",
        "campus-2010": "校园掼蛋比赛规程（2010）",
    }
)
"""The document that each rulebook with lines of its own rests on."""


def _anqing(place: str) -> Line:
    """Warned, and levels down when repeated; by how many the referee enters (X-5)."""
    return Line((_W, _DOWN), place)


def _three_up(place: str) -> Line:
    return Line((Measure(opponent_levels=3, opponent_leads_next_deal=True),), place)


LINES: Final[Mapping[tuple[str, str], Line]] = MappingProxyType(
    {
        ("national-2017", "I4"): Line((_NONE,), "S0 §重洗"),
        ("national-2017", "I5"): Line((_NONE,), "S0 §重洗", correction="change_cards_reshuffle_redraw"),
        ("national-2017", "I6"): Line((_NONE,), "S0 §重洗"),
        ("national-2017", "I10"): Line((_W, _V_STOP, _F), "S0 §出牌方式 5"),
        ("national-2017", "I12"): Line((Measure(Penalty.WARNING, may_roll_back=True), _V_STOP), "S0 §10张报牌 1-2"),
        ("national-2017", "I13"): Line((_W, _V_STOP), "S0 §10张报牌 3"),
        ("national-2017", "I15"): Line((_W,), "S0 §打牌 2", printed=False),
        ("national-2017", "I16"): Line((_W,), "S0 §出牌方式 4", printed=False),
        ("national-2017", "I17"): Line((_F,), "S3:271", printed=False, meaning_from="jiangsu-simple"),
        ("national-2017", "I18"): Line((_OUT,), "S3:279", printed=False, meaning_from="jiangsu-simple"),
        ("national-2017", "I25"): Line((_W,), "S0 §洗牌 4-5", printed=False),
        ("national-2017", "I28"): Line((_W,), "S0 §参谋 2-3", printed=False),
        ("competitive-2022", "I15"): Line((_W,), "S1:174", printed=False),
        ("competitive-2022", "I16"): Line((_W,), "S1:180", printed=False),
        ("competitive-2022", "I28"): Line((_W,), "S1:150", printed=False),
        ("jiangsu-simple", "I1"): Line((_NONE,), "S3:155"),
        ("jiangsu-simple", "I2"): Line((_W,), "S3:157"),
        ("jiangsu-simple", "I3"): Line((_V,), "S3:159"),
        ("jiangsu-simple", "I4"): Line((_NONE,), "S3:161"),
        ("jiangsu-simple", "I5"): Line((_F,), "S3:163"),
        ("jiangsu-simple", "I6"): Line((_W,), "S3:165"),
        ("jiangsu-simple", "I7"): Line((_W,), "S3:179"),
        ("jiangsu-simple", "I8"): Line((_F,), "S3:181"),
        ("jiangsu-simple", "I9"): Line((_W,), "S3:263-271", printed=False),
        ("jiangsu-simple", "I13"): Line((_W,), "S3:11", printed=False),
        ("jiangsu-simple", "I17"): Line((_F,), "S3:271"),
        ("jiangsu-simple", "I18"): Line((_OUT,), "S3:279"),
        ("jiangsu-simple", "I19"): Line((_W,), "S3:25, S3:263-271", printed=False),
        ("jiangsu-simple", "I20"): Line((_OUT,), "S3:277"),
        ("jiangsu-simple", "I21"): Line((_W,), "S3:225"),
        ("jiangsu-simple", "I22"): Line((_FORFEIT,), "S3:217-221"),
        ("jiangsu-simple", "I23"): Line((_OUT,), "S3:277"),
        ("jiangsu-simple", "I24"): Line((_OUT,), "S3:279"),
        ("jiangsu-simple", "I25"): Line((_W,), "S3:147", printed=False),
        ("jiangsu-simple", "I26"): Line((_OUT,), "S3:279"),
        ("huaian-online", "I1"): Line((_NONE,), "S2:71"),
        ("huaian-online", "I2"): Line((_NONE,), "S2:71"),
        ("huaian-online", "I3"): Line((_NONE, _NONE, Measure(score_delta=-1)), "S2:71"),
        ("huaian-online", "I5"): Line(
            (_NONE, _NONE, Measure(score_delta=-1, both_lose=True)),
            "S2:73",
            correction="short_hand_draws_from_long_hand",
        ),
        ("huaian-online", "I17"): Line((_NONE, _NONE, _NONE, Measure(score_delta=-1)), "S2:77"),
        ("huaian-online", "I18"): Line(
            (*[Measure(opponent_levels=1, opponent_on_stage=True)] * 2, Measure(opponent_points=28)), "S2:75"
        ),
        ("huaian-online", "I22"): Line((_FORFEIT,), "S2:69"),
        ("huaian-online", "I23"): Line((Measure(opponent_points=28),), "S2:69"),
        ("anqing-2015", "I1"): _anqing("S4:213"),
        ("anqing-2015", "I2"): _anqing("S4:213"),
        ("anqing-2015", "I3"): _anqing("S4:213"),
        ("anqing-2015", "I5"): _three_up("S4:211"),
        ("anqing-2015", "I6"): _three_up("S4:211"),
        ("anqing-2015", "I9"): _anqing("S4:213"),
        ("anqing-2015", "I12"): Line((_W,), "S4:183", printed=False, correction="answer_opponent"),
        ("anqing-2015", "I13"): Line((_W,), "S4:183", printed=False),
        ("anqing-2015", "I14"): Line((_W,), "S4:183", printed=False),
        ("anqing-2015", "I16"): _anqing("S4:213"),
        ("anqing-2015", "I17"): _anqing("S4:213"),
        ("anqing-2015", "I18"): _three_up("S4:211"),
        ("anqing-2015", "I19"): Line((_LOST,), "S4:209"),
        ("anqing-2015", "I20"): Line((_LOST,), "S4:209"),
        ("anqing-2015", "I21"): _anqing("S4:197, S4:213"),
        ("anqing-2015", "I22"): Line((_FORFEIT,), "S4:147"),
        ("anhui-league", "I9"): Line((_W,), "S4:265", printed=False),
        ("anhui-league", "I12"): Line((_W,), "S4:263", printed=False, correction="answer_opponent"),
        ("anhui-league", "I15"): Line((_W,), "S4:265", printed=False),
        ("anhui-league", "I16"): Line((_W,), "S4:265", printed=False),
        ("anhui-league", "I17"): Line((_OUT,), "S4:251"),
        ("anhui-league", "I20"): Line((_FORFEIT,), "S4:247"),
        ("anhui-league", "I21"): Line((_W, _W, _OUT), "S4:269"),
        ("anhui-league", "I22"): Line((_OUT,), "S4:253"),
        ("anhui-league", "I26"): Line((_OUT,), "S4:253"),
        ("campus-2010", "I12"): Line(
            (Measure(Penalty.WARNING, may_roll_back=True), _V_STOP),
            "S0 §10张报牌 1-2",
            meaning_from="national-2017",
        ),
        ("campus-2010", "I17"): Line((_OUT,), "S4:305"),
        ("campus-2010", "I20"): Line((_W,), "S4:309", printed=False),
        ("campus-2010", "I22"): Line((_FORFEIT,), "S4:303"),
        ("campus-2010", "I26"): Line((_W,), "S4:307", printed=False),
    }
)
"""What each rulebook prints, by rulebook and infraction."""

ALL_BOOKS: Final = (
    "core",
    "national-2017",
    "competitive-2022",
    "huaian-online",
    "jiangsu-simple",
    "intro",
    "anqing-2015",
    "anhui-league",
    "campus-2010",
)
"""Rulebooks that the table knows, silent ones included."""
