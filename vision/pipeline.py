"""From pictures to observations: looks at every picture cheaply, reads a zone well when it has come to rest.

No clock, no thread: time comes with the call, so that a whole evening runs in virtual time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.cards import Seat
from vision.calibration import Calibration, NotCalibrated, calibrate, has_moved
from vision.frames import Frame, Shot
from vision.glimpse import DIFFERENT_PX, MOVED_PX, Cloth, Matter, Scaled, differs_px, light_level, paper_level
from vision.layout import Area
from vision.markers import TABLE_IDS, find_markers
from vision.observations import CameraState, Condition, Message, Observation
from vision.quality import LEAST_MARKERS, Health, judge_looks, measure, softness_mm
from vision.settle import SETTLE_S, Glance, Wish
from vision.zone import NoticeZone, PlayZone, StillKeeper, ZoneReader

STATE_S: Final = 0.4
"""Signs of life come at least so often: two a second with room for a late picture."""
MARKERS_S: Final = 0.4
"""The table markers are looked for so often while all is well."""
FOCUS_S: Final = 4.0
"""Sharpness needs a full picture, which costs as much as two reduced ones; lenses do not change quickly."""
LEAST_REDUCED_PX_PER_MM: Final = 0.4
REDUCTIONS: Final = (4, 2, 1)
HOLD_S: Final = 0.3
"""A settled zone waits at most so long for another that began to move before it."""
FPS_OVER: Final = 20
NOTHING: Final = Matter(0, 0)


@dataclass(slots=True, eq=False)
class _Look:
    """A zone, what it looked like in the last picture and when it was last settled."""

    zone: ZoneReader
    cloth: Cloth
    last: Scaled | None = None
    settled: Scaled | None = None


class Pipeline:
    """Eyes on one table. Call `step` with every new shot, and at least five times a second without one."""

    def __init__(self, keep_still: StillKeeper, now_ns: int, settle_s: float = SETTLE_S) -> None:
        self._looks = [
            _Look(zone, Cloth(seat, area))
            for seat in Seat
            for area, zone in (
                (Area.PLAY, PlayZone(seat, keep_still, settle_s)),
                (Area.NOTICE, NoticeZone(seat, keep_still, settle_s)),
            )
        ]
        self._health = Health(now_ns)
        self._calibration: Calibration | None = None
        self._reduce = REDUCTIONS[0]
        self._tries = 0
        self._paper = 200.0
        self._markers_due_ns = now_ns
        self._focus_due_ns = now_ns
        self._bumps = 0
        self._held: list[Observation] = []
        self._condition: Condition | None = None
        self._blind = True
        self._newest_ns: int | None = None
        self._arrivals: list[int] = []
        self._told_ns: int | None = None

    def step(self, shot: Shot | None, now_ns: int) -> list[Message]:
        """What is to be told at `now_ns`; observations in the order in which their zones first moved."""
        if shot is not None:
            self._newest_ns = shot.mono_ns
            self._arrivals = [*self._arrivals[1 - FPS_OVER :], shot.mono_ns]
            if self._health.arrived(shot.digest, shot.mono_ns):
                self._see(shot, now_ns)
        condition = self._health.condition(now_ns)
        if condition is not None and not self._blind:
            self._go_blind()
        observations = self._release(now_ns, everything=condition is not None)
        state = self._state(condition, now_ns)
        return [*observations, *state]

    # -- one picture -----------------------------------------------------------------------------------------

    def _see(self, shot: Shot, now_ns: int) -> None:
        small = shot.decode(self._reduce)
        self._health.decoded(small is not None, shot.mono_ns)
        if small is None:
            return
        if self._calibration is None or self._condition is not None or shot.mono_ns >= self._markers_due_ns:
            self._check_markers(shot, small)
        if self._calibration is None or self._health.condition(shot.mono_ns) is not None:
            return
        self._blind = False
        self._glance(shot, small, now_ns)

    def _check_markers(self, shot: Shot, small: Frame) -> None:
        """Whether the table is in sight, and where."""
        self._markers_due_ns = shot.mono_ns + round(MARKERS_S * 1e9)
        found = tuple(marker for marker in find_markers(small.image) if marker.id in TABLE_IDS)
        self._health.looked(judge_looks(measure(small.image), len(found)), shot.mono_ns)
        if self._calibration is None:
            if len(found) == len(TABLE_IDS):
                self._calibrate(shot)
            else:
                self._tries += 1
                self._reduce = REDUCTIONS[self._tries // 4 % len(REDUCTIONS)]
            return
        reduced = self._calibration.scaled(1 / self._reduce)
        self._paper = paper_level(small.image, reduced)
        if self._health.is_soft or shot.mono_ns >= self._focus_due_ns:
            self._check_focus(shot)
        self._bumps = self._bumps + 1 if has_moved(reduced, found) else 0
        if self._bumps >= 2 and len(found) >= LEAST_MARKERS:  # the full picture shows one that is lost when reduced
            self._bumps = 0
            self._calibrate(shot)

    def _check_focus(self, shot: Shot) -> None:
        """Whether print could be read at all, when there is nothing to read for a while."""
        self._focus_due_ns = shot.mono_ns + round(FOCUS_S * 1e9)
        full = shot.decode()
        if full is not None:
            self._is_sharp(full)

    def _is_sharp(self, full: Frame) -> bool:
        """Whether the table's print is sharp enough to be read; only the full picture shows it."""
        assert self._calibration is not None
        self._health.focused(softness_mm(full.image, self._calibration))
        return not self._health.is_soft

    def _calibrate(self, shot: Shot) -> None:
        full = shot.decode()
        if full is None:
            return
        try:
            self._calibration = calibrate(full.image)
        except NotCalibrated:
            return
        density = self._calibration.px_per_mm
        fitting = [reduce for reduce in REDUCTIONS if density / reduce >= LEAST_REDUCED_PX_PER_MM]
        self._reduce = fitting[0] if fitting else 1
        small = shot.decode(self._reduce)
        if small is not None:
            self._paper = paper_level(small.image, self._calibration.scaled(1 / self._reduce))
        self._go_blind()
        for look in self._looks:
            look.cloth.known = None

    def _glance(self, shot: Shot, small: Frame, now_ns: int) -> None:
        """Look at all zones; read those that have come to rest."""
        assert self._calibration is not None
        reduced = self._calibration.scaled(1 / self._reduce)
        level = light_level(small.image)
        wishes: list[tuple[_Look, Scaled, Matter]] = []
        for look in self._looks:
            image = look.cloth.look(small.image, reduced, level)
            moved = look.last is None or differs_px(image, look.last) >= MOVED_PX
            same = look.settled is not None and differs_px(image, look.settled) < DIFFERENT_PX
            look.last = image
            if look.zone.watch.first_moved_ns is None and same and not moved:
                matter = NOTHING  # looks as it did when it was last examined
            else:
                matter = look.cloth.matter(image, self._paper * 100 / level)
            if look.zone.watch.glance(Glance(moved, same, matter.has_hand), shot.mono_ns) is Wish.READ:
                wishes.append((look, image, matter))
        full = shot.decode() if wishes else None
        if full is None or not self._is_sharp(full):
            return
        for look, image, matter in wishes:
            settled = look.zone.read(full, self._calibration, matter, self._paper, now_ns)
            if settled is None:
                continue
            look.settled = image
            if matter.is_bare:
                look.cloth.learn(image)
            self._held.extend(settled)

    # -- what is told ----------------------------------------------------------------------------------------

    def _go_blind(self) -> None:
        """Zones are found out anew when there is something to see again."""
        self._blind = True
        for look in self._looks:
            look.zone.watch.forget()
            look.last = look.settled = None

    def _release(self, now_ns: int, everything: bool) -> list[Observation]:
        """Observations that no longer wait for a zone that moved earlier."""
        moving = [look.zone.watch.first_moved_ns for look in self._looks]
        earliest = min((first for first in moving if first is not None), default=None)
        ready: list[Observation] = []
        held: list[Observation] = []
        for seen in sorted(self._held, key=lambda seen: seen.first_moved_ns):
            waits = earliest is not None and earliest < seen.first_moved_ns
            waits = waits and now_ns - seen.settled_ns < HOLD_S * 1e9
            (held if waits and not everything else ready).append(seen)
        self._held = held
        return ready

    def _state(self, condition: Condition | None, now_ns: int) -> list[CameraState]:
        due = self._told_ns is None or now_ns - self._told_ns >= STATE_S * 1e9
        if condition is self._condition and not due:
            return []
        self._condition, self._told_ns = condition, now_ns
        recent = [at for at in self._arrivals if now_ns - at <= 3e9]
        span_s = (recent[-1] - recent[0]) / 1e9 if len(recent) > 1 else 0.0
        fps = (len(recent) - 1) / span_s if span_s > 0 else 0.0
        age_ms = max(0.0, (now_ns - self._newest_ns) / 1e6) if self._newest_ns is not None else 0.0
        return [CameraState(condition is None, condition, fps, age_ms, now_ns)]
