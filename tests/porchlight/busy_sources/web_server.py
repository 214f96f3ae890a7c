"""A web server on this machine, and names whose addresses a test chooses."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from porchlight.features.busy_sources.fetching.guarded_web import MAX_ANSWER_BYTES
from porchlight.ports import RecordType


class FixedResolver:
    """Has the addresses of some names."""

    def __init__(self, addresses: Mapping[str, list[str]]) -> None:
        self.addresses = addresses
        self.asked: list[str] = []

    def records(self, name: str, kind: RecordType) -> list[str]:
        """Return the addresses of a name."""
        self.asked.append(name)
        return [one for one in self.addresses.get(name, []) if (":" in one) == (kind == "AAAA")]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, WebServer)
        server.seen.append((self.path, self.headers.get("authorization", "")))
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("location", self.path.removeprefix("/to/"))
            self.send_header("content-length", "0")
            self.end_headers()
            return
        if self.path in server.files:
            status, body = server.files[self.path]
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        body = {"/bomb": gzip.compress(bytes(64 * 1024 * 1024), 9), "/large": bytes(MAX_ANSWER_BYTES + 1)}.get(
            self.path, b"calendar"
        )
        self.send_response(200)
        if self.path == "/bomb":
            self.send_header("content-encoding", "gzip")
        if self.path == "/drip":
            self.send_header("content-length", "1000000")
            self.end_headers()
            for _ in range(100):
                self.wfile.write(b"x")
                self.wfile.flush()
                if server.stopped.wait(0.05):
                    return
            return
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PROPFIND = do_REPORT = do_GET

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


class WebServer(ThreadingHTTPServer):
    """Answers with `files` by path, and with hostile ones."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, str]] = []
        self.stopped = threading.Event()
        self.files: dict[str, tuple[int, bytes]] = {}

    def handle_error(self, *_args: object) -> None:
        """Ignore clients that went away."""

    def start(self) -> None:
        """Answer requests."""
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        """Answer no more."""
        self.shutdown()
        self._thread.join()
        self.server_close()

    @contextmanager
    def down(self) -> Iterator[None]:
        """Refuse connections until the block ends. The port stays reserved."""
        self.stop()
        with socket.socket() as reserved:
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            reserved.bind(self.server_address)
            yield
            self.socket = socket.socket(self.address_family, self.socket_type)
            self.server_bind()
        self.server_activate()
        self.start()


@contextmanager
def serving() -> Iterator[WebServer]:
    """Run a web server on this machine."""
    running = WebServer()
    running.start()
    try:
        yield running
    finally:
        running.stopped.set()
        running.stop()
