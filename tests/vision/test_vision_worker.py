"""The worker as a real process that reads a real stream over HTTP."""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from engine.cards import Seat, parse_cards
from simulator import table
from simulator.camera import Camera
from vision.observations import CameraState, Kind, Message, Observation
from vision.worker import VisionWorker, WorkerConfig

PATIENCE_S = 40.0


@contextmanager
def stream(pictures: list[bytes], each_connection: int) -> Iterator[tuple[str, list[int]]]:
    """A camera that hangs up after so many pictures; its address, and one entry for every connection."""
    visits: list[int] = []
    stop = threading.Event()
    endless = itertools.cycle(pictures)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            visits.append(1)
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=x")
            self.end_headers()
            try:
                for jpeg in itertools.islice(endless, each_connection):
                    if stop.wait(0.1):
                        return
                    self.wfile.write(
                        b"--x\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(jpeg), jpeg)
                    )
            except OSError:
                return

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/stream.mjpg", visits
    finally:
        stop.set()
        server.shutdown()
        thread.join()
        server.server_close()


def film() -> list[bytes]:
    """A table on which a pair lies before South."""
    camera = Camera(6)
    scene = table.lay(table.Scene(), Seat.S, table.spread(parse_cards(["7S", "7H"]), random.Random(1)))
    return [camera.picture(scene, number * 100_000_000).jpeg for number in range(6)]


def listen_to_the_end(worker: VisionWorker) -> None:
    for _ in range(1000):
        worker.connection.recv()


@pytest.mark.slow
def test_the_worker_reads_a_stream_that_hangs_up_now_and_then(tmp_path: Path) -> None:
    heard: list[Message] = []
    with stream(film(), each_connection=12) as (url, visits):
        worker = VisionWorker(WorkerConfig(url, tmp_path / "stills"))
        worker.start()
        try:
            while len(visits) < 3 or not any(isinstance(one, Observation) and one.cards for one in heard):
                assert worker.connection.poll(PATIENCE_S)
                heard.append(worker.connection.recv())
        finally:
            worker.stop()

    laid = [one for one in heard if isinstance(one, Observation) and one.kind is Kind.LAID]
    assert [[reading.card for reading in one.cards] for one in laid[:1]] == [list(parse_cards(["7S", "7H"]))]
    assert laid[0].initial
    still = tmp_path / "stills" / f"{laid[0].still}.jpg"
    assert hashlib.sha256(still.read_bytes()).hexdigest() == laid[0].still
    assert any(isinstance(one, CameraState) and one.ok for one in heard)
    assert not worker.is_alive()


def test_a_worker_that_dies_is_heard_as_the_end_of_its_pipe(tmp_path: Path) -> None:
    worker = VisionWorker(WorkerConfig(str(tmp_path / "no such file"), tmp_path))
    worker.start()
    try:
        assert worker.connection.poll(PATIENCE_S)
        first = worker.connection.recv()

        worker.kill()

        with pytest.raises(EOFError):
            listen_to_the_end(worker)
    finally:
        worker.stop()
    assert isinstance(first, CameraState)
