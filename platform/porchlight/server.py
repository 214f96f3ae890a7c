"""The HTTP server as the product runs it: uvicorn, with the heads of requests bounded.

httptools keeps a header until its end, however long it is, and uvicorn takes any number of them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tenants.edge import App

_BROKEN = "PORCHLIGHT_BROKEN"  # names the file in which a worker leaves why it cannot be imported
HEAD_MOST = 32 * 1024  # bytes of a request's line and headers; as in infra/Caddyfile
_WORDS = b"The request's headers are too large."
_REFUSAL = (
    STATUS_LINE[431]
    + b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(_WORDS)
    + _WORDS
)


class _TooLarge(Exception):
    pass


class BoundedProtocol(HttpToolsProtocol):
    """Answers 431 to a head beyond HEAD_MOST, and closes the connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._heads = 0  # requests whose head was whole
        self._in_head = True
        self._head = 0  # bytes of the unfinished head that came before this piece
        self._piece = 0
        self._oversized = False

    def data_received(self, data: bytes) -> None:
        """A piece of requests. A head that does not end is refused where it passes the bound."""
        self._piece = len(data)
        heads, in_head = self._heads, self._in_head
        super().data_received(data)
        if not self._in_head or heads != self._heads or not in_head:
            self._head = 0
            return
        self._head += len(data)
        if self._head > HEAD_MOST and not self.transport.is_closing():
            self._refuse()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._in_head = False
        self._heads += 1
        # Counted only where the pieces it came in leave room for one that is too large.
        if self._head + self._piece > HEAD_MOST:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > HEAD_MOST:
                self._oversized = True
                raise _TooLarge  # out of the parser, which says so by send_400_response
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """What cannot be read: 400, or 431 for a head that was too large."""
        if self._oversized:
            self._refuse()
        else:
            super().send_400_response(msg)

    def _refuse(self) -> None:
        self.transport.write(_REFUSAL)
        self.transport.close()


def create() -> App:
    """The product, as a worker makes it. What cannot be imported ends the server, not one worker over and over."""
    try:
        from porchlight import app
    except Exception as fault:
        Path(os.environ[_BROKEN]).write_text(f"{type(fault).__name__}: {fault}")
        if multiprocessing.parent_process() is not None:
            os.kill(os.getppid(), signal.SIGTERM)
        raise SystemExit(1) from None
    return app.create()


def serve(host: str, port: int, workers: int) -> str:
    """Serve the product until SIGINT or SIGTERM. Answers why it cannot be imported; "" when that was not the end."""
    with tempfile.NamedTemporaryFile("r", prefix="porchlight-broken-") as broken:
        os.environ[_BROKEN] = broken.name
        ended: SystemExit | None = None
        try:
            uvicorn.run(
                "porchlight.server:create",
                factory=True,
                host=host,
                port=port,
                workers=workers,
                loop="uvloop",
                http=BoundedProtocol,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # the edge believes our own proxies, and about the tenant nobody
                log_config=None,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=10,
                backlog=2048,
            )
        except SystemExit as exited:  # a taken port, a fault of a setting, or ours above
            ended = exited
        why = broken.read()
        if ended is not None and not why:
            raise ended
        return why
