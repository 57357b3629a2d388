"""What can be done to the pretend table from outside, over HTTP: GET /control tells how far the evening is, POST
/control with {"unplug_s": N}, {"freeze_s": N} or {"camera_off_s": N} makes something go wrong for N seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self

from simulator.web import MOST_HEAD_BYTES, BadRequest, Request, json_answer, read_request

MOST_S: Final = 600.0
"""Longest trouble that can be asked for."""

Mishap = Callable[[float], None]
"""Makes something go wrong for so many seconds; returns at once."""


class Control:
    """The HTTP server of the control. Enter it to listen on 127.0.0.1."""

    def __init__(self, mishaps: Mapping[str, Mishap], state: Callable[[], Mapping[str, object]]) -> None:
        self._mishaps = mishaps
        self._state = state
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0, limit=MOST_HEAD_BYTES)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._closing = True
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/control"

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._talks.add(task)
        try:
            with contextlib.suppress(TimeoutError, OSError):
                try:
                    writer.write(self._answer(await read_request(reader)))
                except BadRequest as error:
                    writer.write(json_answer(400, {"error": str(error)}))
                await writer.drain()
        except asyncio.CancelledError:
            if not self._closing:  # a talk that is cut off with its server has nothing more to say
                raise
        finally:
            self._talks.discard(task)
            writer.close()

    def _answer(self, request: Request) -> bytes:
        """Raises BadRequest for a body that asks for nothing known."""
        if request.path != "/control":
            return json_answer(404, {"error": "see /control"})
        if request.method == "POST":
            for name, seconds in _wanted(request.body, self._mishaps).items():
                self._mishaps[name](seconds)
        elif request.method != "GET":
            return json_answer(405, {"error": "GET or POST"})
        return json_answer(200, self._state())


def _wanted(body: bytes, known: Mapping[str, Mishap]) -> dict[str, float]:
    """Seconds by mishap. Raises BadRequest."""
    try:
        given = json.loads(body)
    except ValueError as error:
        raise BadRequest(f"the body is not JSON ({error})") from error
    if not isinstance(given, dict) or not given:
        raise BadRequest(f"the body asks for nothing; known are {' '.join(known)}")
    for name, seconds in given.items():
        if name not in known:
            raise BadRequest(f"{name} is unknown; known are {' '.join(known)}")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= MOST_S:
            raise BadRequest(f"{name} takes seconds up to {MOST_S:g}, not {seconds!r}")
    return {name: float(seconds) for name, seconds in given.items()}
