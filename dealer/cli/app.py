"""The command tree, and the one place where a mistake becomes a line on stderr and exit code 2."""

from __future__ import annotations

import os
import re
import sys

import typer
from typer.exceptions import TyperException

from dealer.cli import bench, demo, journal, read, rules, serve, simulate
from dealer.errors import DealerError

app = typer.Typer(
    name="dealer",
    help="Controller for automatic Guandan (掼蛋) dealing tables.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo")(demo.demo)
app.command("serve")(serve.serve)
app.command("simulate")(simulate.simulate)
app.command("read")(read.read)
app.command("bench")(bench.bench)
app.add_typer(rules.app, name="rules")
app.add_typer(journal.app, name="journal")


def run(arguments: list[str]) -> int:
    """Run one command line. Returns the exit code: 0 good, 1 a check failed, 2 bad input, 130 interrupted.

    Bad input, usage errors included, is exactly one line on stderr that names the value and the remedy.
    """
    try:
        code = app(args=arguments, prog_name="dealer", standalone_mode=False)
    except typer.Exit as stop:
        return stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except TyperException as error:
        return _refuse(_usage(error, arguments))
    except DealerError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains at exit
        return 1
    return code if isinstance(code, int) else 0


def _usage(error: TyperException, arguments: list[str]) -> str:
    words = " ".join(error.format_message().split()) if isinstance(error, _HAS_MESSAGE) else str(error)
    command = " ".join(word for word in arguments[:1] if not word.startswith("-"))
    return f"{_given(words, arguments)}{words or 'wrong usage'} See: dealer {command} --help".replace("  ", " ")


def _given(words: str, arguments: list[str]) -> str:
    """`--deals none: ` if the message names an option without the value that was given to it."""
    named = re.search(r"'(--[a-z-]+)'", words)
    if named is None:
        return ""
    for place, word in enumerate(arguments):
        option, _, value = word.partition("=")
        if option == named[1]:
            value = value or "".join(arguments[place + 1 : place + 2])
            return "" if not value or value in words else f"{option} {value}: "
    return ""


_HAS_MESSAGE = typer.BadParameter.__mro__[2]  # the command-line library's own base: it alone formats a usage message


def _refuse(message: str) -> int:
    print("dealer: " + " ".join(message.split()), file=sys.stderr)
    return 2
