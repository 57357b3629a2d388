"""The HTTP server: loopback only, ends in seconds with streams open."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn
from fastapi import FastAPI

from api.context import Context

GRACE_S: Final = 3
"""Time that open requests get at the end; streams are told to end at once."""
STALLED_MS: Final = 20_000
"""A connection whose peer takes nothing for so long is cut by the system (TCP_USER_TIMEOUT, Linux)."""
SEND_BUFFER: Final = 256 * 1024
BACKLOG: Final = 128
CONNECTIONS: Final = 256


class NotLoopback(ValueError):
    """An address that other machines could reach."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host!r} is not a loopback address; bind 127.0.0.1 or ::1 (any other needs TLS and accounts, "
            "which this version does not have)"
        )


class AddressBusy(OSError):
    """The address cannot be bound."""

    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"{host}:{port} cannot be used ({why}); stop the other program or choose another port")


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises NotLoopback or AddressBusy."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise NotLoopback(host) from None
    if not address.is_loopback:
        raise NotLoopback(host)
    sock = socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit both: a client that does not read holds little memory, and not for ever.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if sys.platform == "linux":
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
        sock.bind((str(address), port))
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        raise AddressBusy(host, port, error.strerror or str(error)) from None
    return sock


def address_of(sock: socket.socket) -> str:
    """`http://127.0.0.1:8765` of a bound socket."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(
    app: FastAPI, sock: socket.socket, *, stop: asyncio.Event, ready: Callable[[], None] | None = None
) -> None:
    """Serve `app` on `sock` until `stop` is set, then end within a few seconds. Leaves signals to the caller."""
    context = app.state.context
    assert isinstance(context, Context)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=GRACE_S,
        limit_concurrency=CONNECTIONS,
    )
    server = _Server(config, context.feeds.close, ready or (lambda: None))
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve(sockets=[sock]), name="http")
        stopping = group.create_task(_stop(stop, server), name="http stop")
        serving.add_done_callback(lambda _: stopping.cancel())


async def _stop(stop: asyncio.Event, server: _Server) -> None:
    await stop.wait()
    server.should_exit = True


class _Server(uvicorn.Server):
    """Uvicorn that ends its streams before it waits for them, and that does not touch the process's signals."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None], ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams
        self._ready = ready
        self._cancelled = False

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def main_loop(self) -> None:
        # Uvicorn that is cancelled here leaves its port open and the lifespan unended; end it first, then go.
        try:
            await super().main_loop()
        except asyncio.CancelledError:
            self._cancelled = True

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets)
        if self._cancelled:
            raise asyncio.CancelledError

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._end_streams()
        await super().shutdown(sockets)
