"""Fixtures of the API tests: a house that behaves, an application over it, clients of every role."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # api_fakes is also run as a program by a test of the stream

from api_clients import Client, ClientFor, ServerFor
from api_fakes import TOKENS, FakeHouse, ManualClock, bearer

from api import ApiSettings, address_of, bind, create_app, serve


@pytest.fixture
def house(tmp_path: Path) -> FakeHouse:
    return FakeHouse(tmp_path, ManualClock())


@pytest.fixture
async def client_for(house: FakeHouse) -> AsyncIterator[ClientFor]:
    """Clients of the application in this process; the argument is a token, None for no token."""
    app = create_app(house, TOKENS, clock=house.clock)
    opened: list[Client] = []

    def make(token: str | None) -> Client:
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        client = Client(transport=transport, base_url="http://127.0.0.1:8765", headers=bearer(token))
        opened.append(client)
        return client

    yield make

    for client in opened:
        await client.aclose()


@pytest.fixture(autouse=True)
async def no_dropped_stream() -> AsyncIterator[None]:
    """Answers that a test dropped half read are finished within it: their generators are closed by the loop."""
    yield

    gc.collect()
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
def server_for() -> ServerFor:
    """A real server on a free port: `async with server_for(house) as url`."""

    @asynccontextmanager
    async def running(house: FakeHouse, settings: ApiSettings | None = None) -> AsyncIterator[str]:
        app = create_app(house, TOKENS, clock=house.clock, settings=settings or ApiSettings())
        sock = bind("127.0.0.1", 0)
        url = address_of(sock)
        stop, ready = asyncio.Event(), asyncio.Event()
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(serve(app, sock, stop=stop, ready=ready.set))
            async with asyncio.timeout(10):
                await ready.wait()
            try:
                yield url
            finally:
                stop.set()
                await serving

    return running
