"""The command tree, and the one place where a mistake becomes a line on stderr and exit code 2."""

from __future__ import annotations

import io
import os
import re
import sys
from typing import Final

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


LONGEST_WORD: Final = 256
"""Characters of one word that a refusal prints; a path is mostly shorter."""
LONGEST_LINE: Final = 1600


def run(arguments: list[str]) -> int:
    """Run one command line. Returns the exit code: 0 good, 1 a check failed, 2 bad input, 130 interrupted.

    Bad input, usage errors included, is exactly one line on stderr that names the value and the remedy. So is a
    standard output that takes nothing; characters that its encoding lacks are written as escapes.
    """
    _prepare_output()
    try:
        code = _run(arguments)
        if sys.stdout is not None:  # what is still buffered fails here, not at the end of the process
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return 1
    except _OutputFailed as error:
        _drop_output()
        return _refuse(f"standard output: cannot be written ({error}); free some space, or send it elsewhere")
    return code


class _OutputFailed(Exception):
    """Standard output took nothing. Its own exception, as an OSError may be about any other file."""


class _Output(io.TextIOWrapper):
    """Standard output that says so when it fails; a reader that went away stays a BrokenPipeError."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _OutputFailed(error.strerror) from error

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _OutputFailed(error.strerror) from error


def _prepare_output() -> None:
    if type(sys.stdout) is io.TextIOWrapper:  # any other has been put there by a caller
        like = sys.stdout
        encoding, line_buffering, write_through = like.encoding, like.line_buffering, like.write_through
        sys.stdout = _Output(like.detach(), encoding, line_buffering=line_buffering, write_through=write_through)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Let what is buffered go nowhere, or the interpreter complains at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
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
    line = " ".join(_shortened(word, LONGEST_WORD) for word in message.split())
    print("dealer: " + _shortened(line, LONGEST_LINE), file=sys.stderr)
    return 2


def _shortened(text: str, most: int) -> str:
    """`text` with its middle left out if it is longer than `most`; the ends name the value and the remedy."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}...{text[-half:]}"
