"""The gate: what is decided about a request before any route sees it. Closed unless a rule opens it.

Order: Host (against rebinding), Origin (against foreign pages), body size, token. Every answer leaves with the
security headers. Pure ASGI, so that streams pass through unbuffered.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.access import Tokens
from api.headers import SECURITY_HEADERS
from api.problems import Problem, problem_answer
from api.words import quoted

LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "::1"})
PUBLIC_PATHS: Final = frozenset({"/", "/favicon.ico"})
PUBLIC_FOLDER: Final = "/console/"
"""The console's own files; they hold no state of any table."""
HEALTH_PATH: Final = "/api/v1/health"
"""Answers `{"ok": true}` to anybody, more to a referee; a wrong token is refused here too."""
_API: Final = "/api/"
_log = structlog.get_logger()


class Gate:
    """ASGI middleware. Puts the actor of a good token into the request's state."""

    def __init__(self, app: ASGIApp, tokens: Tokens, host_names: frozenset[str], body_limit: int) -> None:
        self._app = app
        self._tokens = tokens
        self._host_names = host_names
        self._body_limit = body_limit
        self._refused = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = _with_headers(send, private=scope["path"].startswith(_API))
        try:
            self._check_host(scope, headers)
            self._check_origin(scope, headers)
            receive = self._bounded(headers, receive)
            self._check_token(scope, headers)
        except Problem as refusal:
            answer = problem_answer(
                refusal.status, refusal.title, refusal.detail, name=refusal.name, headers=refusal.headers
            )
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check_host(self, scope: Scope, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(scope, hosts[0]):
            raise Problem(
                421,
                "Wrong host",
                f"This controller does not answer to the host {quoted(', '.join(hosts))}. Use 127.0.0.1 or localhost "
                "with the controller's port.",
                name="wrong-host",
            )

    def _is_ours(self, scope: Scope, host: str) -> bool:
        """Whether `NAME` or `NAME:PORT` names this server exactly: an allowed name and the port it listens on."""
        try:
            parts = urlsplit(f"//{host}")
            port = parts.port
        except ValueError:
            return False
        if parts.netloc != host or parts.username is not None or parts.path or parts.query or parts.fragment:
            return False
        server = scope.get("server")
        listening = server[1] if server is not None else None
        default = 443 if scope["scheme"] == "https" else 80
        return parts.hostname in self._host_names and (default if port is None else port) == (listening or default)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """A page of another origin may neither act nor read; programs send no Origin at all."""
        for origin in headers.getlist("origin"):
            scheme, separator, host = origin.partition("://")
            if not separator or scheme != scope["scheme"] or not self._is_ours(scope, host):
                raise Problem(
                    403,
                    "Foreign page",
                    f"A page of {quoted(origin)} asked for this. Only the controller's own console may.",
                    name="foreign-origin",
                )

    def _bounded(self, headers: Headers, receive: Receive) -> Receive:
        """`receive` that stops after the body limit; a longer announced length is refused at once."""
        announced = headers.get("content-length", "0")
        if not announced.isdecimal() or int(announced) > self._body_limit:
            raise Problem(
                413,
                "Too large",
                f"A body of {quoted(announced)} bytes is larger than {self._body_limit} bytes. Send less.",
                name="too-large",
            )
        seen = 0

        async def bounded() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._body_limit:
                raise HTTPException(413)
            return message

        return bounded

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        path = scope["path"]
        given = headers.getlist("authorization")
        if not given and (path in PUBLIC_PATHS or path == HEALTH_PATH or path.startswith(PUBLIC_FOLDER)):
            return
        if not given:
            raise _unknown("No token was sent.")
        scheme, _, token = given[0].partition(" ")
        actor = self._tokens.actor_of(token.strip()) if len(given) == 1 and scheme.lower() == "bearer" else None
        if actor is None:
            self._refused += 1
            if self._refused & (self._refused - 1) == 0:  # 1st, 2nd, 4th, 8th: a flood stays a few lines
                _log.warning("token refused", path=path, count=self._refused)
            raise _unknown("The token is not one of this controller.")
        scope.setdefault("state", {})["actor"] = actor


def _unknown(what: str) -> Problem:
    return Problem(
        401,
        "Not signed in",
        f"{what} Open the link that the controller printed, or send the header 'Authorization: Bearer TOKEN'.",
        name="not-signed-in",
        headers={"www-authenticate": 'Bearer realm="dealer"'},
    )


def _with_headers(send: Send, *, private: bool) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers[name] = value
            if private or "cache-control" not in headers:
                headers["cache-control"] = "no-store" if private else "no-cache"
        await send(message)

    return with_headers
