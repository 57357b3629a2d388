"""Lets tests of this room share `engine_support.py` and the other modules that hold no tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
