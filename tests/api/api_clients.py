"""Types of the fixtures of these tests. Apart from conftest.py: there is one of those in many folders, under one name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx2

Client = httpx2.AsyncClient
ClientFor = Callable[[str | None], Client]
ServerFor = Callable[..., AbstractAsyncContextManager[str]]
