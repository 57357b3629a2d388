"""A program that writes a journal until it is killed, and says which records it was promised to be durable.

    python journal_writer.py PATH

Prints `opened N` (last record found), then the number of every record whose append has returned.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from journal_support import draft

from dealer.clock import SystemClock
from dealer.journal import Journal


async def main(path: Path) -> None:
    journal = await Journal.open(path, SystemClock())
    os.write(1, f"opened {journal.last}\n".encode())
    while True:
        batches = await asyncio.gather(*(journal.append([draft(1), draft(2)]) for _ in range(3)))
        for records in batches:
            os.write(1, f"{records[-1].number}\n".encode())


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
