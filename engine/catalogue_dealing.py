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
        correction="The machine draws another card.",
        correction_zh="由机器重新抽取一张。",
        hidden=True,
    ),
    Kind(
        code="F104",
        name="draw_out_of_turn",
        severity=Severity.WARN,
        inputs=(Input.SEEN,),
        title_en="A card was drawn out of turn",
        title_zh="未轮到即抓牌",
        article="江苏省掼蛋比赛简易规则 第三章 二; RULEBOOKS 3.1, I1, I2, I3",
        correction="Put the card back and go on in the right order; from a hand the rightful drawer takes one blindly.",
        correction_zh="退回该牌，恢复抓牌次序；已入手的由应抓牌者从其手中随机抽取一张。",
    ),
    Kind(
        code="F105",
        name="shuffle_cut_manner",
        severity=Severity.INFO,
        inputs=(Input.SEEN, Input.PERSON),
        title_en="Shuffled or cut in the wrong manner",
        title_zh="洗牌或切牌方式不合规定",
        article="淮安掼蛋竞赛规则 洗牌与抓牌; RULEBOOKS 3.1, I25",
        correction="Shuffle or cut again.",
        correction_zh="重新洗牌或切牌。",
    ),
)
