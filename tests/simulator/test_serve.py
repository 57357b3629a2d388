"""The pretend table as a process: real pseudo terminal, real HTTP, real end."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import select
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # a JSON value

import pytest

from engine.rulebook_data import load_rulebook
from simulator.camera import Picture
from simulator.clock import RealClock
from simulator.control import Control
from simulator.stream import Stream

RULEBOOK = load_rulebook("competitive-2022")


@dataclass
class Served:
    """A running simulator and the addresses that it printed."""

    process: subprocess.Popen[str]
    line: dict[str, Any]
    truth: Path

    def get(self, url: str) -> bytes:
        with urllib.request.urlopen(url, timeout=10) as answer:
            body: bytes = answer.read()
        return body

    def post(self, document: object) -> dict[str, Any]:
        request = urllib.request.Request(self.line["control"], data=json.dumps(document).encode())
        with urllib.request.urlopen(request, timeout=10) as answer:
            state: dict[str, Any] = json.load(answer)
        return state

    @property
    def snapshot(self) -> str:
        return str(self.line["camera"]).replace("stream.mjpg", "snapshot.jpg")

    def truth_lines(self) -> list[dict[str, Any]]:
        text = self.truth.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n")[:-1]]


@contextlib.contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Served]:
    truth = folder / "truth.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "simulator", "serve", "--truth", str(truth), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield Served(process, json.loads(process.stdout.readline()), truth)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def eventually(claim: Callable[[], bool], seconds: float) -> None:
    """Wait for a claim to come true."""
    end_s = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end_s, f"not true after {seconds} s"
        select.select([], [], [], 0.02)


def parts(url: str, count: int) -> list[tuple[int, bytes]]:
    """The next pictures of a stream: their stamps and bytes."""
    found = []
    with urllib.request.urlopen(url, timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("multipart/x-mixed-replace")
        while len(found) < count:
            fields: dict[str, str] = {}
            line = ""
            while "Content-Length" not in fields or line.strip():
                line = answer.readline().decode()
                if not line:
                    raise ConnectionResetError("the stream has ended")
                if ":" in line:
                    name, value = line.strip().split(": ")
                    fields[name] = value
            found.append((int(fields["X-Mono-Ns"]), answer.read(int(fields["Content-Length"]))))
    return found


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---- the process ------------------------------------------------------------------------------------------------


def test_pictures_come_with_stamps_and_can_be_frozen_and_switched_off(tmp_path: Path) -> None:
    with serving(tmp_path, "--seed", "5") as served:
        url = served.line["camera"]
        moving = parts(url, 4)
        served.post({"freeze_s": 3})
        frozen = parts(url, 4)
        served.post({"camera_off_s": 1})
        with pytest.raises((urllib.error.HTTPError, http.client.HTTPException, OSError)):
            parts(url, 100)
        eventually(lambda: is_served(served), 10)

    assert served.line["seed"] == 5
    stamps = [stamp for stamp, _ in moving]
    assert all(0 <= time.monotonic_ns() - stamp < 60e9 for stamp in stamps)
    assert stamps == sorted(set(stamps))
    assert all(picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9") for _, picture in moving)
    assert len({picture for _, picture in moving}) == 4
    assert len({picture for _, picture in frozen[1:]}) == 1


def is_served(served: Served) -> bool:
    try:
        return served.get(served.snapshot).startswith(b"\xff\xd8")
    except OSError:
        return False


@pytest.mark.parametrize("end", ["stdin closes", "SIGTERM", "SIGKILL"])
def test_it_ends_within_two_seconds_and_leaves_no_process(tmp_path: Path, end: str) -> None:
    with serving(tmp_path, "--seed", "5") as served:
        pids = [served.process.pid, *children_of(served.process.pid)]
        assert len(pids) == 2
        start_s = time.monotonic()

        if end == "stdin closes":
            assert served.process.stdin is not None
            served.process.stdin.close()
        else:
            os.kill(served.process.pid, signal.SIGTERM if end == "SIGTERM" else signal.SIGKILL)

        code = served.process.wait(timeout=5)
        eventually(lambda: not any(is_alive(pid) for pid in pids), 2.0)
        assert time.monotonic() - start_s <= 2.0
    assert code == (-signal.SIGKILL if end == "SIGKILL" else 0)


def test_control_tells_the_state_and_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    with serving(tmp_path, "--seed", "5", "--no-camera") as served:
        state = json.loads(served.get(served.line["control"]))
        with pytest.raises(urllib.error.HTTPError) as refused:
            served.post({"earthquake_s": 3})
        refused.value.close()

    assert served.line["camera"] is None
    assert state == {"phase": "dealing", "deal": 1, "plays": 0, "done": False}
    assert refused.value.code == 400


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--scenario", "earthquake"], "earthquake"),
        (["--speed", "0"], "0"),
        (["--deals", "none"], "none"),
        (["--rulebook", "poker"], "poker"),
        (["--truth", "/no/such/folder/truth"], "/no/such/folder/truth"),
    ],
)
def test_bad_input_gets_one_line_that_names_it(arguments: list[str], named: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "simulator", "serve", "--no-camera", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
    )

    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


# ---- servers in this process ------------------------------------------------------------------------------------


async def test_a_client_that_does_not_read_slows_nobody() -> None:
    async with Stream(RealClock()) as stream:
        lazy_reader, lazy = await asyncio.open_connection("127.0.0.1", stream.port)
        lazy.write(b"GET /stream.mjpg HTTP/1.1\r\n\r\n")
        reader, writer = await asyncio.open_connection("127.0.0.1", stream.port)
        writer.write(b"GET /stream.mjpg HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        await lazy_reader.readuntil(b"\r\n\r\n")
        seen = []
        async with asyncio.timeout(20):
            for number in range(60):
                await stream.publish(Picture(bytes([number]) * 400_000, number))
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                seen.append(int(head.split("X-Mono-Ns: ")[1]))
                await reader.readexactly(400_002)
        for connection in (lazy, writer):
            connection.close()

    assert seen == list(range(60))


async def test_a_slow_client_gets_the_newest_picture_when_it_is_ready() -> None:
    async with Stream(RealClock()) as stream:
        reader, writer = await asyncio.open_connection("127.0.0.1", stream.port, limit=1024)
        writer.write(b"GET /stream.mjpg HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        for number in range(40):
            await stream.publish(Picture(bytes(3_000_000), number))
            await asyncio.sleep(0)
        stamps = []
        async with asyncio.timeout(20):
            while not stamps or stamps[-1] != 39:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                stamps.append(int(head.split("X-Mono-Ns: ")[1]))
                await reader.readexactly(3_000_002)
        writer.close()

    assert stamps == sorted(stamps)
    assert len(stamps) < 10


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /nothing HTTP/1.1\r\n\r\n", b"404"),
        (b"POST /snapshot.jpg HTTP/1.1\r\n\r\n", b"405"),
        (b"\x00\xff\r\n\r\n", b""),
        (b"GET /" + b"x" * 20_000, b""),
    ],
)
async def test_the_camera_answers_nonsense_and_goes_on(request_bytes: bytes, status: bytes) -> None:
    async with Stream(RealClock()) as stream:
        reader, writer = await asyncio.open_connection("127.0.0.1", stream.port)
        writer.write(request_bytes)
        with contextlib.suppress(ConnectionError):
            answer = await reader.read()
            assert (status in answer.split(b"\r\n")[0]) if status else answer == b""
        writer.close()
        stream.turn_off(60)
        reader, writer = await asyncio.open_connection("127.0.0.1", stream.port)
        writer.write(b"GET /snapshot.jpg HTTP/1.1\r\n\r\n")
        assert b"503" in await reader.read()
        writer.close()


async def test_control_calls_the_mishap_with_its_seconds() -> None:
    done: list[float] = []
    async with Control({"unplug_s": done.append}, lambda: {"done": False}) as control:
        port = int(control.url.split(":")[2].split("/")[0])

        async def ask(body: bytes) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /control HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            answer = await reader.read()
            writer.close()
            return answer

        right = await ask(b'{"unplug_s": 2.5}')
        wrong = [await ask(body) for body in (b"", b"[]", b'{"unplug_s": -1}', b'{"unplug_s": true}', b'{"x": 1}')]

    assert b" 200 " in right
    assert b'{"done": false}' in right
    assert all(b" 400 " in answer for answer in wrong)
    assert done == [2.5]
