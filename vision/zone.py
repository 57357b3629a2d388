"""Reading a zone that has come to rest, and what there is to tell about it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2

from engine.cards import Card, Seat
from vision.calibration import Calibration, ZonePicture, rectify
from vision.frames import Frame
from vision.glimpse import Matter
from vision.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, ZONES, Area
from vision.markers import PASS_ID, find_markers, report_count
from vision.observations import CardReading, Kind, Observation
from vision.read import read_play
from vision.settle import Settled, ZoneWatch
from vision.templates import DENSITY, index_templates

log = logging.getLogger(__name__)

StillKeeper = Callable[[bytes], str]
"""Keeps a JPEG and tells its SHA-256 in hex. Raises OSError where it cannot."""

AROUND_MM: Final = 6.0
"""A card that lies a little over the line of its zone is still seen whole."""
WHITE_SHARE: Final = 0.6
STILL_QUALITY: Final = 88
CARD_MM2: Final = CARD_WIDTH_MM * CARD_HEIGHT_MM
NOTICE_SETTLE_S: Final = 0.2
"""A marker is read for certain or not at all, so a notice zone needs no longer rest than two pictures that agree.

A player who takes his PASS card back at once shows it for no more than three pictures.
"""
AREA_SHARE: Final = 0.3
"""Of a card's area that the paper in a notice zone may have more or less than its cards."""

Faces = tuple[Card | None, ...]


class PlayZone:
    """The play zone of one seat."""

    def __init__(self, seat: Seat, keep_still: StillKeeper, settle_s: float) -> None:
        self.watch: ZoneWatch[Faces] = ZoneWatch(settle_s)
        self._seat = seat
        self._keep_still = keep_still
        self._told: tuple[Kind, Faces] = (Kind.CLEARED, ())

    def read(
        self, full: Frame, calibration: Calibration, matter: Matter, paper: float, now_ns: int
    ) -> tuple[Observation, ...] | None:
        """None while the zone has not settled; else what is to be told, which may be nothing."""
        picture = rectify(full.image, calibration, self._seat, ZONES[Area.PLAY].widened(AROUND_MM), DENSITY)
        reading = read_play(picture, index_templates(), WHITE_SHARE * paper)
        sure = reading.is_sure or (reading.is_empty and matter.is_bare)
        settled = self.watch.judge(reading.faces, sure, full.mono_ns)
        if settled is None:
            return None
        kind = Kind.UNCLEAR
        if settled.sure:
            kind = Kind.LAID if settled.content else Kind.CLEARED
        if (kind, settled.content) == self._told and not settled.initial:
            return ()
        self._told = (kind, settled.content)
        still = None if kind is Kind.CLEARED else _kept(self._keep_still, picture)
        cards = () if kind is Kind.CLEARED else reading.cards
        return (_observe(settled, self._seat, kind, full.number, now_ns, cards=cards, still=still),)


@dataclass(frozen=True, slots=True)
class Notices:
    """Cards in a notice zone."""

    passing: bool = False
    report: int | None = None


class NoticeZone:
    """The notice zone of one seat: PASS card and report card."""

    def __init__(self, seat: Seat, keep_still: StillKeeper, settle_s: float) -> None:
        self.watch: ZoneWatch[Notices] = ZoneWatch(min(settle_s, NOTICE_SETTLE_S))
        self._seat = seat
        self._keep_still = keep_still
        self._told = Notices()

    def read(
        self, full: Frame, calibration: Calibration, matter: Matter, paper: float, now_ns: int
    ) -> tuple[Observation, ...] | None:
        """As PlayZone.read. A zone that stays unclear keeps what it showed and adds what is found for certain."""
        del paper  # markers carry their own contrast
        picture = rectify(full.image, calibration, self._seat, ZONES[Area.NOTICE].widened(AROUND_MM), DENSITY)
        ids = {marker.id for marker in find_markers(picture.image)}
        counts = sorted(count for count in map(report_count, ids) if count is not None)
        found = Notices(PASS_ID in ids, counts[0] if len(counts) == 1 else None)
        cards = len(counts) + found.passing
        sure = len(counts) <= 1 and abs(matter.paper_mm2 - cards * CARD_MM2) < AREA_SHARE * CARD_MM2
        settled = self.watch.judge(found, sure, full.mono_ns)
        if settled is None:
            return None
        before = self._told
        after = found if settled.sure else _at_least(before, found, matter)
        self._told = after
        return self._tell(before, after, settled, full, picture, now_ns)

    def _tell(
        self, before: Notices, after: Notices, settled: Settled[Notices], full: Frame, picture: ZonePicture, now_ns: int
    ) -> tuple[Observation, ...]:
        told: list[Observation] = []
        if after.passing and (settled.initial or not before.passing):
            still = _kept(self._keep_still, picture)
            told.append(_observe(settled, self._seat, Kind.PASS_SHOWN, full.number, now_ns, still=still))
        elif before.passing and not after.passing:
            told.append(_observe(settled, self._seat, Kind.PASS_GONE, full.number, now_ns))
        if after.report is not None and (settled.initial or after.report != before.report):
            still = _kept(self._keep_still, picture)
            told.append(
                _observe(settled, self._seat, Kind.REPORT_SHOWN, full.number, now_ns, count=after.report, still=still)
            )
        return tuple(told)


def _at_least(before: Notices, found: Notices, matter: Matter) -> Notices:
    """What lies in an unclear notice zone for certain: what is found, and what was there unless its paper is gone."""
    report = found.report or before.report
    others = 1 if report is not None else 0
    still_there = before.passing and matter.paper_mm2 > (others + 0.5) * CARD_MM2
    return Notices(found.passing or still_there, report)


ZoneReader = PlayZone | NoticeZone


def _observe(
    settled: Settled[Faces] | Settled[Notices], seat: Seat, kind: Kind, frame: int, now_ns: int, *,
    cards: tuple[CardReading, ...] = (), count: int | None = None, still: str | None = None,
) -> Observation:  # fmt: skip
    told_ns = max(now_ns, settled.settled_ns)
    return Observation(seat, kind, cards, count, told_ns, settled.first_moved_ns, frame, still, settled.initial)


def _kept(keep: StillKeeper, picture: ZonePicture) -> str | None:
    """The kept picture's hash; None where the disk takes none: evidence may be missing, play goes on being seen."""
    done, data = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, STILL_QUALITY])
    if not done:
        return None
    try:
        return keep(data.tobytes())
    except OSError as error:
        log.warning("still not kept: %s", error)
        return None
