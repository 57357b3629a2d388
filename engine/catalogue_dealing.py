"""Findings on dealing, F1xx. Source: RULEBOOKS section 6; `engine.kind` says what the fields mean."""

from __future__ import annotations

from typing import Final

from engine.kind import Input, Kind, Severity

DEALING: Final = (
    Kind(
        code="F101",
        name="deck_count",
        severity=Severity.ALERT,
        inputs=(Input.DEALT,),
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
        inputs=(Input.DEALT, Input.SEEN),
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
        inputs=(Input.DEALT,),
        title_en="The turned-up card has to be drawn again",
        title_zh="翻出的牌须重抽",
        article="RULEBOOKS 3.1, D-2",
        suggested="None",
        suggested_zh="不罚",
        correction="The machine draws another card.",
        correction_zh="由机器重新抽取一张。",
        hidden=True,
    ),
)
