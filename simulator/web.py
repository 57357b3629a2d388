"""As much HTTP as a pretend camera and its control need: one request a connection, then the answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Final

MOST_HEAD_BYTES: Final = 8_192
MOST_BODY_BYTES: Final = 4_096
"""A control request is a few words; anything longer is not meant for this program."""
REQUEST_S: Final = 5.0
"""A client that has not asked by then is sent away."""

_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}


class BadRequest(ValueError):
    """Bytes that are no request, or one that is too long."""

    def __init__(self, what: str) -> None:
        super().__init__(f"not a request that this server takes: {what}")


@dataclass(frozen=True, slots=True)
class Request:
    """Method in capitals, path without query."""

    method: str
    path: str
    body: bytes = b""


async def read_request(reader: asyncio.StreamReader) -> Request:
    """The request on a connection. Raises BadRequest, TimeoutError, or OSError if the client has gone."""
    async with asyncio.timeout(REQUEST_S):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode("ascii").split("\r\n")
            method, target, _ = lines[0].split(" ", 2)
            fields = dict(line.split(":", 1) for line in lines[1:] if line)
            length = int({name.strip().lower(): value for name, value in fields.items()}.get("content-length", "0"))
            if not 0 <= length <= MOST_BODY_BYTES:
                raise BadRequest(f"a body of {length} bytes")
            return Request(method.upper(), target.partition("?")[0], await reader.readexactly(length))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise BadRequest(type(error).__name__) from error
        except ValueError as error:
            raise error if isinstance(error, BadRequest) else BadRequest(str(error)) from error


def head(status: int, kind: str, length: int | None = None) -> bytes:
    """Status line and fields of an answer; without a length it lasts until the connection closes."""
    lines = [
        f"HTTP/1.1 {status} {_REASONS[status]}",
        f"Content-Type: {kind}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def answer(status: int, kind: str, body: bytes) -> bytes:
    """A whole answer."""
    return head(status, kind, len(body)) + body


def json_answer(status: int, document: object) -> bytes:
    """A whole answer that is a JSON document."""
    return answer(status, "application/json", json.dumps(document).encode())
