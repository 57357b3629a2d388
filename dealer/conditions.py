"""Conditions: what the machine, the camera or the disk does wrong, each with one next step in words.

Numbers: C1xx link, C2xx mechanics (C2 and the machine's own fault number), C3xx camera, C4xx storage. A reading
that is not clear is a question to a person, not a condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from firmware_proto.messages import FaultCode


@dataclass(frozen=True, slots=True)
class Condition:
    """One kind of trouble. Texts say what is the case, remedies the one next step."""

    code: str
    text_en: str
    text_zh: str
    remedy_en: str
    remedy_zh: str


_LINK: Final = {
    "link_lost": Condition(
        "C101",
        "The line to the machine is lost.",
        "与机器的连接中断。",
        "Check the cable and the power of the machine.",
        "请检查数据线和机器电源。",
    ),
    "device_restarted": Condition(
        "C102",
        "The machine has restarted.",
        "机器已重新启动。",
        "Look whether a card is stuck; the machine goes on by itself if not.",
        "请查看有无卡牌；没有的话机器会自行继续。",
    ),
    "device_replaced": Condition(
        "C103",
        "Another machine is connected, or the machine has lost its memory.",
        "连接的是另一台机器，或机器的记录已丢失。",
        "Put all 108 cards back and deal again.",
        "请将 108 张牌全部放回，重新发牌。",
    ),
    "device_silent": Condition(
        "C104",
        "The machine does not answer.",
        "机器没有回应。",
        "Switch the machine off and on again.",
        "请将机器关机后重新开机。",
    ),
    "device_rejected": Condition(
        "C105",
        "The machine does not fit this program.",
        "机器与本程序不匹配。",
        "Update the machine or the program so that their protocol versions agree.",
        "请升级机器或程序，使双方协议版本一致。",
    ),
    "order_refused": Condition(
        "C106",
        "The machine refuses to do what it was asked.",
        "机器拒绝执行指令。",
        "Look at the machine and clear what it shows.",
        "请查看机器，并按其提示处理。",
    ),
    "events_lost": Condition(
        "C107",
        "Reports of the machine are missing.",
        "机器的部分报告缺失。",
        "Count the hands, and deal again if a count is wrong.",
        "请清点各家手牌，数目不对则重新发牌。",
    ),
    "port_busy": Condition(
        "C108",
        "Another program uses the machine's port.",
        "机器的端口被其他程序占用。",
        "Close the other program.",
        "请关闭占用端口的程序。",
    ),
    "link_poor": Condition(
        "C109",
        "The line to the machine is disturbed; frames are sent again and again.",
        "与机器的连接受干扰，数据频繁重发。",
        "Replace the cable, or lay it away from motors and lamps.",
        "请更换数据线，或使其远离电机和灯具。",
    ),
}

_MECHANICS: Final = {
    "machine_paused": Condition(
        "C250",
        "The machine has paused during the deal.",
        "机器在发牌途中暂停。",
        "Wait for it to go on; if it does not, look at the machine.",
        "请稍候；如未继续，请查看机器。",
    ),
    "no_events": Condition(
        "C251",
        "The machine says that it deals, but no card moves.",
        "机器显示正在发牌，但没有牌移动。",
        "Open the lid and look for a stuck card.",
        "请打开盖子查看有无卡牌。",
    ),
    "count_mismatch": Condition(
        "C234",
        "The pockets do not hold 27 cards each.",
        "各家牌数不是 27 张。",
        "Count the four hands.",
        "请清点四家手牌。",
    ),
    "fault_unknown": Condition(
        "C200",
        "The machine has stopped with a fault that this program does not know.",
        "机器因未知故障停止。",
        "Look up the number on the machine's display in its manual.",
        "请按机器显示的编号查阅说明书。",
    ),
}

_FAULTS: Final[Mapping[FaultCode, tuple[str, str, str, str]]] = {
    FaultCode.NO_FEED: (
        "No card is fed.",
        "无法送牌。",
        "Press the stack down and continue.",
        "请压平牌叠后继续。",
    ),
    FaultCode.HOPPER_EMPTY_EARLY: (
        "The hopper is empty before 108 cards were dealt.",
        "未发满 108 张，牌仓已空。",
        "Look for the missing cards and put them in.",
        "请找到缺少的牌并放入。",
    ),
    FaultCode.HOPPER_NOT_EMPTY: (
        "108 cards were dealt and the hopper is not empty.",
        "已发 108 张，牌仓未空。",
        "Take the cards that are left out and deal again.",
        "请取出多余的牌后重新发牌。",
    ),
    FaultCode.DOUBLE_FEED_PATH: (
        "Two cards were fed at once.",
        "同时送出两张牌。",
        "Put the two cards back under the stack.",
        "请将两张牌放回牌叠底部。",
    ),
    FaultCode.DOUBLE_FEED_POCKET: (
        "Two cards fell into a pocket at once.",
        "两张牌同时落入一格。",
        "Count the cards of that pocket.",
        "请清点该格的牌。",
    ),
    FaultCode.JAM_ENTRY: (
        "A card is stuck at the entry.",
        "入口卡牌。",
        "Open the lid and pull the card straight.",
        "请打开盖子，把牌理正。",
    ),
    FaultCode.JAM_PATH: (
        "A card is stuck in the path.",
        "通道卡牌。",
        "Open the lid and free the card.",
        "请打开盖子取出卡住的牌。",
    ),
    FaultCode.JAM_GATE: (
        "A card is stuck at a gate.",
        "分牌口卡牌。",
        "Open the lid and free the card.",
        "请打开盖子取出卡住的牌。",
    ),
    FaultCode.UNREADABLE: (
        "A card cannot be read.",
        "有一张牌无法识别。",
        "Clean or replace that card.",
        "请擦净或更换该牌。",
    ),
    FaultCode.FACE_WRONG: (
        "A card lies the wrong way up.",
        "有一张牌放反。",
        "Turn that card over.",
        "请将该牌翻正。",
    ),
    FaultCode.FOREIGN_CARD: (
        "A card of another deck is in the stack.",
        "混入其他牌。",
        "Replace the card by the right one.",
        "请换成正确的牌。",
    ),
    FaultCode.WRONG_POCKET: (
        "A card fell into another pocket than planned.",
        "牌落入错误的格。",
        "Collect all cards and deal again.",
        "请收齐所有牌重新发牌。",
    ),
    FaultCode.DROP_LOST: (
        "A card has not reached its pocket.",
        "有一张牌未落入格中。",
        "Look for the card below the gates.",
        "请在分牌口下方寻找该牌。",
    ),
    FaultCode.POCKET_NOT_EMPTY: (
        "A pocket holds cards before the deal.",
        "发牌前格中有牌。",
        "Take the cards out of the pocket and put them into the hopper.",
        "请取出格中的牌放入牌仓。",
    ),
    FaultCode.POCKET_FULL: (
        "A pocket would get more than 27 cards.",
        "一格将超过 27 张。",
        "Collect all cards and deal again.",
        "请收齐所有牌重新发牌。",
    ),
    FaultCode.TAKEN_EARLY: (
        "Cards were taken during the deal.",
        "发牌途中有人取牌。",
        "Ask the player to put the cards back, and call the referee.",
        "请牌手放回，并请裁判到场。",
    ),
    FaultCode.LID_OPEN: (
        "The lid is open.",
        "盖子已打开。",
        "Close the lid.",
        "请关上盖子。",
    ),
    FaultCode.EMERGENCY_STOP: (
        "The emergency stop is pressed.",
        "急停按钮已按下。",
        "Turn the button to release it.",
        "请旋转按钮以复位。",
    ),
    FaultCode.POWER_LOST: (
        "The power failed with cards in the path.",
        "断电时通道内有牌。",
        "Open the lid and take the cards out of the path.",
        "请打开盖子取出通道内的牌。",
    ),
    FaultCode.HOMING: (
        "A moving part does not find its place.",
        "运动部件无法复位。",
        "Switch the machine off and on again.",
        "请将机器关机后重新开机。",
    ),
    FaultCode.MOTOR_STALL: (
        "A motor does not turn.",
        "电机不转。",
        "Switch the machine off and look for a stuck card.",
        "请关机并查看有无卡牌。",
    ),
    FaultCode.OVERHEAT: (
        "The machine is too hot.",
        "机器过热。",
        "Let it cool for ten minutes.",
        "请等待十分钟降温。",
    ),
    FaultCode.SUPPLY: (
        "The supply voltage is out of range.",
        "供电电压异常。",
        "Use the machine's own power supply.",
        "请使用机器原配电源。",
    ),
    FaultCode.SENSOR_DIRTY: (
        "A sensor is dirty.",
        "传感器脏污。",
        "Clean the sensors with a dry cloth.",
        "请用干布清洁传感器。",
    ),
    FaultCode.MEMORY: (
        "The machine's own record is damaged.",
        "机器自身的记录已损坏。",
        "Put all 108 cards back and deal again.",
        "请将 108 张牌全部放回，重新发牌。",
    ),
}

_CAMERA: Final = {
    "camera_dark": Condition(
        "C301", "The picture is too dark.", "画面太暗。", "Switch the lamp above the table on.", "请打开牌桌上方的灯。"
    ),
    "camera_blurred": Condition(
        "C302", "The picture is blurred.", "画面模糊。", "Clean the lens and set its focus.", "请擦净镜头并对焦。"
    ),
    "camera_frozen": Condition(
        "C303", "The picture stands still.", "画面停住不动。", "Unplug the camera and plug it in.", "请重新插拔摄像头。"
    ),
    "camera_covered": Condition(
        "C304",
        "The camera is covered.",
        "摄像头被遮挡。",
        "Take away what is before the lens.",
        "请移开镜头前的遮挡物。",
    ),
    "camera_no_frames": Condition(
        "C305", "The camera gives no picture.", "摄像头没有画面。", "Check the camera's cable.", "请检查摄像头的连线。"
    ),
    "camera_no_markers": Condition(
        "C306",
        "The corner markers of the table are not seen.",
        "看不到桌角标记。",
        "Clear the corners and point the camera at the whole table.",
        "请让出桌角，并将摄像头对准整张桌面。",
    ),
    "camera_bad_picture": Condition(
        "C307",
        "The pictures of the camera cannot be used.",
        "摄像头画面无法使用。",
        "Check the camera's settings against docs/camera.md.",
        "请对照 docs/camera.md 检查摄像头设置。",
    ),
    "camera_slow": Condition(
        "C308",
        "The camera gives too few pictures to see every play.",
        "摄像头画面过少，可能漏看出牌。",
        "Close other programs and check the camera's cable.",
        "请关闭其他程序，并检查摄像头的连线。",
    ),
}

_STORAGE: Final = {
    "journal_salvaged": Condition(
        "C401",
        "The record of this table was damaged; what could be proven was kept.",
        "本桌记录曾损坏，已保留可验证的部分。",
        "Check the last plays against the table, and keep the files named damaged.",
        "请核对最近的出牌，并保留带 damaged 的文件。",
    ),
    "disk_full": Condition(
        "C402",
        "The disk does not take any more records; play has to wait.",
        "磁盘无法写入记录，请暂停打牌。",
        "Free some space on the disk of the data folder.",
        "请清理数据文件夹所在磁盘。",
    ),
}


def fault_name(code: int) -> str:
    """The condition of a machine's fault number; `fault_unknown` for one that is not known."""
    known = FaultCode(code)
    if known is FaultCode.COUNT_MISMATCH:
        return "count_mismatch"
    return f"fault_{known.name.lower()}" if known in _FAULTS else "fault_unknown"


CONDITIONS: Final[Mapping[str, Condition]] = MappingProxyType(
    {
        **_LINK,
        **_MECHANICS,
        **{f"fault_{code.name.lower()}": Condition(f"C2{code:02d}", *words) for code, words in _FAULTS.items()},
        **_CAMERA,
        **_STORAGE,
    }
)
"""Every condition by name."""
