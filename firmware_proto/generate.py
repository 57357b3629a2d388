"""Writes messages.py, PROTOCOL.md and vectors.json from schema/table.toml. A tool; nobody imports it at run time.

`python -m firmware_proto.generate` writes; `--check` writes nothing and exits 1 when a file differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from firmware_proto.schema.python import write_messages
from firmware_proto.schema.read import Schema, read_schema

HERE: Final = Path(__file__).resolve().parent
SCHEMA: Final = HERE / "schema" / "table.toml"


def current(path: Path, text: str) -> bool:
    """Whether the file holds exactly this text."""
    return path.is_file() and path.read_text(encoding="utf-8") == text


def followers(schema: Schema) -> dict[str, str]:
    """File name -> content of the files that are made with the generated messages.

    Imports messages.py, which therefore has to be current and not imported yet: hence the late imports.
    """
    from firmware_proto.schema.document import write_document
    from firmware_proto.schema.vectors import write_vectors

    rules = (HERE / "schema" / "link_rules.md").read_text(encoding="utf-8")
    return {"PROTOCOL.md": write_document(schema, rules), "vectors.json": write_vectors(schema)}


def check(schema: Schema) -> list[str]:
    """Names of the files that differ from the schema; nothing is written."""
    if not current(HERE / "messages.py", write_messages(schema)):
        return ["messages.py"]
    return [name for name, text in followers(schema).items() if not current(HERE / name, text)]


def write(schema: Schema) -> list[str]:
    """Bring all files up to date; returns the names of those that changed."""
    changed = []
    messages = write_messages(schema)
    if not current(HERE / "messages.py", messages):
        (HERE / "messages.py").write_text(messages, encoding="utf-8")
        changed.append("messages.py")
    for name, text in followers(schema).items():
        if not current(HERE / name, text):
            (HERE / name).write_text(text, encoding="utf-8")
            changed.append(name)
    return changed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware_proto.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a generated file differs")
    options = parser.parse_args(arguments)
    schema = read_schema(SCHEMA.read_text(encoding="utf-8"))
    if options.check:
        differing = check(schema)
        for name in differing:
            sys.stderr.write(f"firmware_proto/{name} differs from the schema; run python -m firmware_proto.generate\n")
        return 1 if differing else 0
    for name in write(schema):
        sys.stdout.write(f"firmware_proto/{name} written\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
