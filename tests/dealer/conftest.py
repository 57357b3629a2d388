"""Lets tests of this room share `journal_support.py`, which is also imported by a program that tests kill."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
