"""Types of the fixtures here. Not in conftest.py: many folders have one, and only one can be imported by its name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx2

Client = httpx2.AsyncClient
ClientFor = Callable[[str | None], Client]
ServerFor = Callable[..., AbstractAsyncContextManager[str]]
