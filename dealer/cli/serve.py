"""`dealer serve`: run the configured tables, the API and the console."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer

from api.access import Actor, Role
from api.app import create_app
from api.server import AddressBusy, NotLoopback, address_of, bind
from api.server import serve as serve_http
from dealer.cli.tokens import load_or_make, token_of
from dealer.clock import Clock, SystemClock
from dealer.deals import SYSTEM
from dealer.errors import BadInput
from dealer.house import House
from dealer.logs import configure_logs
from dealer.settings import Settings, load_settings


def serve(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="settings (TOML); default: the user's own")
    ] = None,
) -> None:
    """Run the configured tables, the API and the console until Ctrl-C or SIGTERM."""
    settings = load_settings(config)
    if not settings.tables:
        raise BadInput("tables: none configured; add a [[tables]] section (docs/settings.md)")
    configure_logs()
    tokens = load_or_make(settings.key_file.parent / "tokens.json")
    asyncio.run(run_house(settings, tokens, SystemClock()))


async def run_house(settings: Settings, tokens: dict[str, Actor], clock: Clock) -> None:
    """Open the house, serve it, and end on a signal."""
    try:
        sock = bind(settings.api.host, settings.api.port)
    except (NotLoopback, AddressBusy) as error:
        raise BadInput(str(error)) from error
    try:
        house = await House.open(settings, clock, SYSTEM)
        async with house:
            stop = asyncio.Event()
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, stop.set)
            app = create_app(house, tokens, clock=clock)
            base = address_of(sock)
            print(f"The console is at {base}/#token={token_of(tokens, Role.REFEREE)}", flush=True)
            await serve_http(app, sock, stop=stop)
    finally:
        sock.close()
