"""The application: routes under /api/v1 and the console at /, over a house of tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI

from api.access import Actor, Tokens
from api.context import ApiSettings, Context, reader
from api.feed import Feeds
from api.gate import Gate
from api.house import HouseLike
from api.problems import install_problems
from api.routes import alerts, health, stream, tables
from api.routes.console import install_console
from dealer.clock import Clock, SystemClock

DEFAULT_SETTINGS = ApiSettings()


def create_app(
    house: HouseLike,
    tokens: Mapping[str, Actor],
    *,
    clock: Clock | None = None,
    settings: ApiSettings = DEFAULT_SETTINGS,
) -> FastAPI:
    """The HTTP application of a house that has been started.

    `tokens` maps bearer tokens to who they name; an empty mapping lets nobody in. Raises BadToken for a weak one.
    The house is neither started nor stopped here.
    """
    clock = clock or SystemClock()
    feeds = Feeds(house, clock)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            following = group.create_task(feeds.run(), name="feeds")
            yield
            feeds.close()
            following.cancel()

    # No served description or docs page: /api/v1/openapi.json is there for referees.
    app = FastAPI(
        title="Guandan dealing table",
        version="1",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.context = Context(house=house, clock=clock, settings=settings, feeds=feeds)
    install_problems(app)
    api = APIRouter(prefix="/api/v1")
    for router in (tables.router, alerts.router, stream.router):
        api.include_router(router, dependencies=[Depends(reader)])
    api.include_router(health.router)
    app.include_router(api)
    install_console(app)
    app.add_middleware(Gate, tokens=Tokens(tokens), host_names=settings.host_names, body_limit=settings.body_limit)
    return app
