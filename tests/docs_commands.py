"""Run the commands shown in documents: every line of a ```sh block, in order, with the project as working folder.

    python tests/docs_commands.py README.md docs

A block whose opening fence says ```sh skip="reason" is not run. A line that ends with ` &` is started in the
background and ended with the block. Lines run with the project's root as working folder, with .venv/bin first on PATH
and a fresh DEALER_HOME for each block. Exit 1 if a line fails or a document shows no command at all.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^```sh(?P<info>[^\n]*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
LIMIT_S = 600
ROOT = Path(__file__).resolve().parents[1]


def commands(body: str) -> list[str]:
    """Command lines of a block: comments dropped, continued lines joined."""
    joined = body.replace("\\\n", " ")
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def run_block(body: str) -> list[str]:
    """Run a block; returns what failed."""
    failures: list[str] = []
    background: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="docs-") as scratch:
        path = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "DEALER_HOME": f"{scratch}/home", "SCRATCH": scratch}
        for line in commands(body):
            waits = not line.endswith(" &")
            print(f"$ {line}", flush=True)
            process = subprocess.Popen(
                ["bash", "-c", line if waits else "exec " + line[:-2]], cwd=ROOT, env=environment,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
            if not waits:
                background.append(process)
                continue
            try:
                code = process.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                code = 124
            if code:
                failures.append(f"exit {code}: {line}")
        for process in background:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                failures.append("a background command did not end within 10 s of SIGTERM")
    return failures


def main(arguments: list[str]) -> int:
    """Run all blocks of the documents named; a folder means its *.md files."""
    files = [f for a in arguments for f in (sorted(Path(a).rglob("*.md")) if Path(a).is_dir() else [Path(a)])]
    ran, failures = 0, []
    for file in files:
        for block in FENCE.finditer(file.read_text(encoding="utf-8")):
            info = dict(part.partition("=")[::2] for part in shlex.split(block["info"]))
            print(f"-- {file}{' (skipped: ' + info['skip'] + ')' if 'skip' in info else ''}", flush=True)
            if "skip" not in info:
                ran += 1
                failures += [f"{file}: {failure}" for failure in run_block(block["body"])]
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{ran - len({f.split(':')[0] for f in failures})} passed, {len(failures)} failed")
    return 1 if failures or not ran else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
