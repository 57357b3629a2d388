"""Motion JPEG over HTTP (multipart/x-mixed-replace): the newest picture of a stream, reconnecting for ever.

An own small parser: OpenCV's reader blocks without a deadline, decodes every picture and hides what went wrong.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from vision.clock import Clock
from vision.frames import Shot
from vision.shots import JpegShot, NewestSlot

log = logging.getLogger(__name__)

STALL_S: Final = 2.0
"""A stream that sends nothing for so long is cut and opened again."""
RETRY_S: Final = (0.1, 0.2, 0.4, 0.8, 1.0)
"""Pauses between attempts; the last one repeats. Short, since a camera has to be back within five seconds."""
MOST_HEAD_BYTES: Final = 8192
MOST_PICTURE_BYTES: Final = 32 * 1024 * 1024
_CHUNK: Final = 65_536


class BadStream(Exception):
    """The other end speaks no motion JPEG; the text says what it sent."""


class PictureParser:
    """Cuts a multipart byte stream into pictures; feed it chunks of any size.

    Works with and without Content-Length. Keeps at most one picture and one head; raises BadStream beyond the limits.
    """

    def __init__(self, boundary: bytes) -> None:
        self._mark = b"--" + boundary
        self._rest = bytearray()
        self._length: int | None = None
        self._in_body = False
        self._searched = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Pictures completed by `data`, in order."""
        self._rest += data
        out: list[bytes] = []
        while True:
            if not self._in_body and not self._take_head():
                break
            picture = self._take_body()
            if picture is None:
                break
            out.append(picture)
        return out

    def _take_head(self) -> bool:
        start = self._rest.find(self._mark)
        end = self._rest.find(b"\r\n\r\n", max(start, 0))
        if start < 0 or end < 0:
            if len(self._rest) > MOST_HEAD_BYTES:
                raise BadStream(f"no picture head within {MOST_HEAD_BYTES} bytes")
            return False
        self._length = None
        for line in bytes(self._rest[start:end]).split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                self._length = int(value) if value.strip().isdigit() else None
        if self._length is not None and self._length > MOST_PICTURE_BYTES:
            raise BadStream(f"a picture of {self._length} bytes")
        del self._rest[: end + 4]
        self._in_body, self._searched = True, 0
        return True

    def _take_body(self) -> bytes | None:
        if self._length is not None:
            if len(self._rest) < self._length:
                return None
            end, cut = self._length, self._length
        else:
            end = self._rest.find(b"\r\n" + self._mark, self._searched)
            if end < 0:
                self._searched = max(0, len(self._rest) - len(self._mark) - 2)
                if len(self._rest) > MOST_PICTURE_BYTES:
                    raise BadStream(f"a picture of more than {MOST_PICTURE_BYTES} bytes")
                return None
            cut = end + 2
        picture = bytes(self._rest[:end])
        del self._rest[:cut]
        self._in_body = False
        return picture


class MjpegSource:
    """A FrameSource for `http://` and `https://` addresses. Starts its thread when built; close() ends it."""

    def __init__(self, url: str, clock: Clock, stall_s: float = STALL_S) -> None:
        self._url = url
        self._clock = clock
        self._stall_s = stall_s
        self._slot = NewestSlot()
        self._stop = threading.Event()
        self._number = 0
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.attempts = 0
        """Connections tried so far."""
        self._thread = threading.Thread(target=self._run, name="mjpeg", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        return self._url

    def newest(self, after: int, wait_s: float) -> Shot | None:
        return self._slot.newest(after, wait_s)

    def ended(self) -> bool:
        return False

    def close(self) -> None:
        self._stop.set()
        self._slot.close()
        with self._lock:
            if self._socket is not None:
                with contextlib.suppress(OSError):  # it was closed at the other end already
                    self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(self._stall_s + 1)

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            before = self._number
            self.attempts += 1
            try:
                self._receive()
                reason = "the stream ended"
            except (OSError, HTTPException, BadStream, ValueError) as error:
                reason = f"{type(error).__name__}: {error}"
            if self._stop.is_set():
                return
            failures = 1 if self._number > before else failures + 1
            if failures == 1:  # one line an outage
                log.warning("camera stream lost: %s, %s; trying again", self._url, reason)
            self._clock.pause(RETRY_S[min(failures - 1, len(RETRY_S) - 1)], self._stop.is_set)

    def _receive(self) -> None:
        """Take pictures until the stream ends or stalls."""
        parts = urlsplit(self._url)
        if parts.hostname is None:
            raise BadStream(f"no host in {self._url!r}")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname, parts.port, timeout=self._stall_s)
        try:
            connection.connect()
            with self._lock:
                self._socket = connection.sock
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", path, headers={"Accept": "multipart/x-mixed-replace"})
            response = connection.getresponse()
            if response.status != 200:
                raise BadStream(f"HTTP {response.status}")
            self._take(response, PictureParser(_boundary(response.getheader("Content-Type") or "")))
        finally:
            with self._lock:
                self._socket = None
            connection.close()

    def _take(self, response: HTTPResponse, parser: PictureParser) -> None:
        last_ns = self._clock.monotonic_ns()
        while not self._stop.is_set():
            data = response.read1(_CHUNK)
            if not data:
                return
            now = self._clock.monotonic_ns()
            pictures = parser.feed(data)
            if pictures:
                last_ns = now
                self._number += len(pictures)
                self._slot.put(JpegShot(pictures[-1], self._number, now, self._url))
            elif now - last_ns > self._stall_s * 1e9:  # bytes trickle, but no picture comes of them
                raise BadStream(f"no whole picture for {self._stall_s} s")


def _boundary(content_type: str) -> bytes:
    kind, *fields = content_type.split(";")
    if kind.strip().lower() != "multipart/x-mixed-replace":
        raise BadStream(f"content type {content_type!r} instead of multipart/x-mixed-replace")
    for field in fields:
        name, _, value = field.partition("=")
        if name.strip().lower() == "boundary" and value.strip(' "'):
            return value.strip(' "').removeprefix("--").encode("ascii", "replace")
    raise BadStream(f"content type {content_type!r} names no boundary")
