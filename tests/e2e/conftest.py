"""A whole table for end-to-end tests: a simulated table in its own process, the controller in another, HTTP between."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx2
import pytest

from dealer.journal import iterate
from dealer.record import Record

DEADLINE_S = 240.0


@dataclass
class Rig:
    """A simulated table and the controller that may be killed and started again."""

    folder: Path
    simulator: subprocess.Popen[str]
    addresses: dict[str, Any]
    config: Path
    controller: subprocess.Popen[str] | None = None
    base: str = ""
    token: str = ""
    log: IO[str] | int = subprocess.DEVNULL

    def start(self) -> None:
        """Start the controller and wait for its address."""
        self.controller = subprocess.Popen(
            [sys.executable, "-m", "dealer", "serve", "--config", str(self.config)],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.controller.stdout is not None
        line = self.controller.stdout.readline()
        assert "#token=" in line, f"no address: {line!r} {(self.folder / 'controller.log').read_text()[-2000:]}"
        address, _, self.token = line.strip().rpartition("/#token=")
        self.base = address.split()[-1]

    def kill(self) -> None:
        """kill -9 the controller."""
        assert self.controller is not None
        self.controller.send_signal(signal.SIGKILL)
        self.controller.wait(10)
        assert self.controller.stdout is not None
        self.controller.stdout.close()

    def stop(self) -> float:
        """SIGTERM the controller; returns the seconds until it ended."""
        assert self.controller is not None
        begun = time.monotonic()
        self.controller.terminate()
        self.controller.wait(15)
        assert self.controller.stdout is not None
        self.controller.stdout.close()
        return time.monotonic() - begun

    def get(self, path: str) -> Any:
        answer = httpx2.get(f"{self.base}{path}", headers={"Authorization": f"Bearer {self.token}"}, timeout=5)
        answer.raise_for_status()
        return answer.json()

    def table(self) -> dict[str, Any]:
        document: dict[str, Any] = self.get("/api/v1/tables/1")
        return document

    def control(self, **what: float) -> None:
        """Tell the simulated table to misbehave."""
        httpx2.post(self.addresses["control"], json=what, timeout=5).raise_for_status()

    def records(self) -> list[Record]:
        """The journal so far, read beside the running controller."""
        return list(iterate(self.folder / "data" / "tables" / "1" / "journal.db"))

    def truth(self) -> list[dict[str, Any]]:
        file = self.folder / "truth.jsonl"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        return [json.loads(line) for line in text.split("\n")[:-1] if line]

    def until(self, what: str, true: Callable[[], bool], seconds: float = DEADLINE_S) -> None:
        """Wait for something to become true, polling; fail naming it at the deadline."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if true():
                    return
            except (httpx2.HTTPError, FileNotFoundError):
                pass
            time.sleep(0.1)
        log = (self.folder / "controller.log").read_text()[-3000:]
        raise AssertionError(f"not within {seconds:g} s: {what}\n{log}")


RigMaker = Callable[..., Rig]


@pytest.fixture
def make_rig(tmp_path: Path) -> Iterator[RigMaker]:
    """Make a rig: `make_rig(seed=1, scenario="clean", speed=1.0, camera=True, serial="pty")`."""
    rigs: list[Rig] = []
    logs: list[IO[str]] = []

    def make(
        *, seed: int = 1, scenario: str = "clean", speed: float = 1.0, camera: bool = True, serial: str = "pty"
    ) -> Rig:
        arguments = ["--seed", str(seed), "--deals", "1", "--scenario", scenario, "--speed", str(speed)]
        arguments += ["--truth", str(tmp_path / "truth.jsonl"), "--serial", serial]
        logs.append(simulator_log := (tmp_path / "simulator.log").open("w"))
        simulator = subprocess.Popen(
            [sys.executable, "-m", "simulator", "serve", *arguments, *([] if camera else ["--no-camera"])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=simulator_log,
            text=True,
        )
        assert simulator.stdout is not None
        addresses = json.loads(simulator.stdout.readline())
        lines = [
            f'data_dir = "{tmp_path / "data"}"',
            f'key_file = "{tmp_path / "key" / "seal.key"}"',
            "[api]",
            "port = 0",
        ]
        lines += ["[[tables]]", 'id = "1"', f'serial = "{addresses["serial"]}"', "deals = 1"]
        if camera:
            lines.append(f'camera = "{addresses["camera"]}"')
        config = tmp_path / "tables.toml"
        config.write_text("\n".join(lines) + "\n")
        logs.append(controller_log := (tmp_path / "controller.log").open("a"))
        rig = Rig(tmp_path, simulator, addresses, config, log=controller_log)
        rigs.append(rig)
        return rig

    yield make

    for rig in rigs:
        for process in (rig.controller, rig.simulator):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait(10)
            for pipe in (process.stdout, process.stdin) if process is not None else ():
                if pipe is not None:
                    pipe.close()
    for log in logs:
        log.close()
