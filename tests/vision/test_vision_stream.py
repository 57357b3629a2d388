"""Pictures over HTTP: parts cut out whatever the chunks, streams that stall, break off or are something else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.vision.pictures import WAIT_S, FakeClock, jpeg, level_of, next_shot
from vision.clock import RealClock
from vision.mjpeg import BadStream, MjpegSource, PictureParser
from vision.sources import open_source


def part(data: bytes, with_length: bool = True, boundary: str = "picture") -> bytes:
    length = f"Content-Length: {len(data)}\r\n" if with_length else ""
    return f"--{boundary}\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n"


# -- the parser ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_length", [True, False])
@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64, 1000, 100_000])
def test_pictures_are_cut_out_whatever_the_chunks(with_length: bool, chunk: int) -> None:
    pictures = [jpeg(40), jpeg(90, 48), b"--pictur" + jpeg(10)]
    stream = b"".join(part(data, with_length) for data in pictures) + b"--picture"
    parser = PictureParser(b"picture")

    out = [found for i in range(0, len(stream), chunk) for found in parser.feed(stream[i : i + chunk])]

    assert out == pictures


def test_a_length_that_lies_does_not_stop_the_stream() -> None:
    parser = PictureParser(b"picture")
    short = b"--picture\r\nContent-Length: 10\r\n\r\n" + jpeg(40) + b"\r\n"

    out = parser.feed(short + part(jpeg(90)) + part(jpeg(91)))

    assert out[-1] == jpeg(91)


def test_a_stream_without_heads_is_given_up() -> None:
    parser = PictureParser(b"picture")

    with pytest.raises(BadStream, match="no picture head"):
        parser.feed(b"x" * 10_000)


def test_a_picture_without_end_is_given_up() -> None:
    parser = PictureParser(b"picture")

    with pytest.raises(BadStream, match="bytes"):
        parser.feed(b"--picture\r\nContent-Length: 99999999999\r\n\r\n")


# -- streams ------------------------------------------------------------------------------------------------------

Script = Callable[[BaseHTTPRequestHandler, int, threading.Event], None]


@contextmanager
def server(script: Script) -> Iterator[str]:
    """An HTTP camera; `script` answers each connection, numbered from 1, and stops at the event."""
    stop = threading.Event()
    count = iter(range(1, 10_000))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                script(self, next(count), stop)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Silence."""

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.daemon_threads = True
    thread = threading.Thread(target=web.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{web.server_address[1]}/stream.mjpg"
    finally:
        stop.set()
        web.shutdown()
        web.server_close()
        thread.join()


def begin(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", 'multipart/x-mixed-replace; boundary="picture"')
    handler.end_headers()


def test_the_newest_picture_of_a_burst_wins() -> None:
    def script(handler: BaseHTTPRequestHandler, _: int, stop: threading.Event) -> None:
        begin(handler)
        handler.wfile.write(b"".join(part(jpeg(level)) for level in range(10, 60)))
        stop.wait(WAIT_S)

    with server(script) as url:
        source = open_source(url)
        try:
            shot = next_shot(source, 49)

            assert level_of(shot) == 59
            assert shot.number == 50
        finally:
            source.close()


def test_a_stream_that_breaks_off_is_opened_again() -> None:
    def script(handler: BaseHTTPRequestHandler, number: int, stop: threading.Event) -> None:
        if number == 2:
            handler.send_error(503)
            return
        begin(handler)
        handler.wfile.write(part(jpeg(10 * number)))
        if number == 3:
            stop.wait(WAIT_S)

    with server(script) as url:
        source = MjpegSource(url, RealClock())
        try:
            first = next_shot(source)
            second = next_shot(source, first.number)

            assert (level_of(first), level_of(second)) == (10, 30)
            assert second.number > first.number
            assert source.attempts == 3
        finally:
            source.close()


def test_a_stream_that_stalls_is_cut_and_opened_again() -> None:
    def script(handler: BaseHTTPRequestHandler, number: int, stop: threading.Event) -> None:
        begin(handler)
        handler.wfile.write(part(jpeg(10 * number)))
        stop.wait(WAIT_S)  # the line stays open and silent

    with server(script) as url:
        source = MjpegSource(url, RealClock(), stall_s=0.2)
        try:
            first = next_shot(source)
            second = next_shot(source, first.number)

            assert (level_of(first), level_of(second)) == (10, 20)
        finally:
            source.close()


def test_an_address_that_serves_something_else_is_tried_again_without_noise(caplog: pytest.LogCaptureFixture) -> None:
    def script(handler: BaseHTTPRequestHandler, _: int, stop: threading.Event) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()

    clock = FakeClock(end_s=30.0)
    with server(script) as url:
        source = MjpegSource(url, clock)
        try:
            assert clock.ended.wait(WAIT_S)

            assert source.newest(0, 0.0) is None
            assert 20 <= source.attempts <= 40
            assert len(caplog.records) == 1
            assert "text/html" in caplog.text
        finally:
            source.close()
