"""Findings on order and time, F3xx. Source: RULEBOOKS section 6; `engine.kind` says what the fields mean."""

from __future__ import annotations

from typing import Final

from engine.kind import Input, Kind, Severity

ORDER: Final = (
    Kind(
        code="F301",
        name="turn_order",
        severity=Severity.ALERT,
        inputs=(Input.SEEN, Input.PERSON),
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
        inputs=(Input.DEALT, Input.SEEN),
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
        inputs=(Input.DEALT, Input.SEEN),
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
        inputs=(Input.DEALT, Input.SEEN),
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
        inputs=(Input.SEEN,),
        title_en="A pass where a lead is due",
        title_zh="应领出者过牌",
        article="RULEBOOKS 2.6, section 6 trick_end",
        suggested="None",
        suggested_zh="不罚",
        correction="The leader has to lead; the pass does not count.",
        correction_zh="领出者必须出牌，该次过牌无效。",
    ),
)
