"""`python -m simulator serve`: the pretend table as a command."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tomllib
from pathlib import Path
from typing import Never

from engine.regulation import build_regulation
from engine.rulebook import BadRulebook, Rulebook, UnknownRulebook
from engine.rulebook_data import DEFAULT, known_rulebooks, load_rulebook, packaged_layers
from simulator.people import PACES
from simulator.scenarios import SCENARIOS
from simulator.serve import Order, serve
from simulator.studio import StudioFailed


class _OneLine(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage text."""

    def error(self, message: str) -> Never:
        sys.stderr.write(f"{self.prog}: {message}\n")
        raise SystemExit(2)


def main() -> int:
    """Run the command; 2 for bad input, 1 if the table broke."""
    parser = _OneLine(prog="simulator")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_OneLine)
    command = commands.add_parser("serve", help="serve a table over a serial line and HTTP")
    command.add_argument("--seed", type=int, help="seed of cards, players and picture (default: a fresh one)")
    command.add_argument("--deals", type=_whole, default=1)
    command.add_argument("--scenario", choices=list(SCENARIOS), default="clean")
    command.add_argument("--truth", type=Path, help="write what really happens here, one JSON object a line")
    command.add_argument("--speed", type=_positive, default=1.0, help="people and machine so many times as fast")
    command.add_argument("--pace", choices=list(PACES), default="quick", help="how fast people think and move")
    command.add_argument(
        "--rulebook", default=DEFAULT, help="what the players keep to: an id or the file of a regulation"
    )
    command.add_argument("--serial", choices=["pty", "tcp"], default="pty")
    command.add_argument("--no-camera", action="store_true", help="nobody watches; nobody waits to be seen")
    command.add_argument("--camera-port", type=int, default=0, help="port of the pictures (default: any free)")
    command.add_argument("--fps", type=_positive, default=10.0, help="pictures a second")
    given = parser.parse_args()
    try:
        order = Order(
            seed=given.seed if given.seed is not None else secrets.randbelow(1_000_000),
            deals=given.deals,
            scenario=SCENARIOS[given.scenario],
            rulebook=_rulebook(given.rulebook),
            truth=given.truth,
            speed=given.speed,
            pace=given.pace,
            serial=given.serial,
            camera=not given.no_camera,
            camera_port=given.camera_port,
            fps=given.fps,
        )
        asyncio.run(serve(order))
    except (UnknownRulebook, BadRulebook, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        parser.error(f"--rulebook: {error}")
    except OSError as error:
        parser.error(f"{error.filename or 'simulator'}: {error.strerror or error}")
    except StudioFailed as error:
        sys.stderr.write(f"simulator: {error}\n")
        return 1
    return 0


def _rulebook(text: str) -> Rulebook:
    """The published rulebook, or the regulation in a file."""
    if text in known_rulebooks() or not text.endswith(".toml"):
        return load_rulebook(text)
    return build_regulation(tomllib.loads(Path(text).read_text(encoding="utf-8-sig")), packaged_layers)


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100")
    return value


def _whole(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


if __name__ == "__main__":
    sys.exit(main())
