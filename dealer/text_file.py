"""Reading a text that a person named by its path: regular files of a bounded size, as UTF-8."""

from __future__ import annotations

import stat
from pathlib import Path

from dealer.errors import BadInput


def read_text(path: Path, most_bytes: int, remedy: str) -> str:
    """The text of a file, without a byte order mark; line ends as they stand.

    A device or pipe is refused before it is opened: reading it may never end. Raises BadInput, which names the path;
    `remedy` is what to give instead.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInput(f"{path}: cannot be read (not a regular file)", remedy)
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:  # a NUL in the name is a ValueError
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{path}: cannot be read ({reason})", remedy) from error
    return decode_text(str(path), data, most_bytes, remedy)


def decode_text(name: str, data: bytes, most_bytes: int, remedy: str) -> str:
    """Bytes of the file or stream `name` as text. Raises BadInput for more than `most_bytes` and for no UTF-8."""
    if len(data) > most_bytes:
        raise BadInput(f"{name}: larger than {most_bytes} bytes", remedy)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: is not UTF-8 text", "save it as UTF-8") from error
