"""The HTTP server: uvicorn with a limit on the size of request headers.

httptools buffers a header of any length, and uvicorn accepts any number of headers.
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

from tenants.http.asgi import ASGIApp
from tenants.kit.heap import paused_gc

_IMPORT_ERROR_FILE = "PORCHLIGHT_IMPORT_ERROR_FILE"  # path of the file where a worker writes its import error
MAX_HEAD_BYTES = 32 * 1024  # request line and headers; infra/Caddyfile has the same limit
_MESSAGE = b"The request's headers are too large."
_RESPONSE_431 = (
    STATUS_LINE[431]
    + b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(_MESSAGE)
    + _MESSAGE
)


class _HeadTooLarge(Exception):
    pass


class BoundedProtocol(HttpToolsProtocol):
    """Responds 431 to a request head over MAX_HEAD_BYTES and closes the connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._complete_heads = 0
        self._in_head = True
        self._head_bytes = 0  # of the unfinished head, received before this chunk
        self._chunk_bytes = 0
        self._oversized = False

    def data_received(self, data: bytes) -> None:
        """Receive a chunk. Reject an unfinished head as soon as it is over the limit."""
        self._chunk_bytes = len(data)
        complete_heads, in_head = self._complete_heads, self._in_head
        super().data_received(data)
        if not self._in_head or complete_heads != self._complete_heads or not in_head:
            self._head_bytes = 0
            return
        self._head_bytes += len(data)
        if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._reject()

    def on_message_begin(self) -> None:
        """Handle the start of a request."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Handle the end of the headers."""
        self._in_head = False
        self._complete_heads += 1
        # Only measured when the chunks it arrived in are large enough for it to be over the limit.
        if self._head_bytes + self._chunk_bytes > MAX_HEAD_BYTES:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > MAX_HEAD_BYTES:
                self._oversized = True
                raise _HeadTooLarge  # leaves the parser, which then calls send_400_response
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to an unreadable request: 400, or 431 when the head was too large."""
        if self._oversized:
            self._reject()
        else:
            super().send_400_response(msg)

    def _reject(self) -> None:
        self.transport.write(_RESPONSE_431)
        self.transport.close()


def create() -> ASGIApp:
    """Create the app in a worker process. An import error stops the server instead of restarting workers forever."""
    try:
        with paused_gc():
            from porchlight import app
    except Exception as error:
        Path(os.environ[_IMPORT_ERROR_FILE]).write_text(f"{type(error).__name__}: {error}")
        if multiprocessing.parent_process() is not None:
            os.kill(os.getppid(), signal.SIGTERM)
        raise SystemExit(1) from None
    return app.create()


def serve(host: str, port: int, workers: int) -> str:
    """Serve the product until SIGINT or SIGTERM. Return the import error, or "" if there was none."""
    with tempfile.NamedTemporaryFile("r", prefix="porchlight-import-error-") as error_file:
        os.environ[_IMPORT_ERROR_FILE] = error_file.name
        exit_request: SystemExit | None = None
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
                proxy_headers=False,  # tenants.http.proxy_headers decides which proxies to trust
                log_config=None,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=10,
                backlog=2048,
            )
        except SystemExit as exited:  # a port in use, an invalid setting, or the import error above
            exit_request = exited
        import_error = error_file.read()
        if exit_request is not None and not import_error:
            raise exit_request
        return import_error
