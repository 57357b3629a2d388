"""Pictures of zones on disk, named by their SHA-256, so that a referee sees what the camera saw."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


class Stills:
    """A folder of JPEG files. Two processes may write to it: a file appears whole or not at all."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder if need be. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def keep(self, jpeg: bytes) -> str:
        """Write the picture unless it is there; its SHA-256 in hex. Raises OSError."""
        name = hashlib.sha256(jpeg).hexdigest()
        path = self._folder / f"{name}.jpg"
        if path.exists():
            return name
        handle, made = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(jpeg)
            Path(made).replace(path)
        except OSError:
            Path(made).unlink(missing_ok=True)
            raise
        return name
