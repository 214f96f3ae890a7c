"""The HTTP server: uvicorn with a limit on the size of request headers.

httptools buffers a header of any length, and uvicorn accepts any number of headers.
"""

from __future__ import annotations

import asyncio
from socket import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from porchlight.workers import WorkerGroup
from tenants.kit import heap
from tenants.kit.heap import paused_gc

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

    def shutdown(self) -> None:
        """Stop after the response in progress. One that would go on, such as a stream, has to end now."""
        if self.cycle is not None and not self.cycle.response_complete:
            end = self.cycle.scope.get("state", {}).get("on_shutdown")
            if end is not None:
                end()
        super().shutdown()

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


class _Worker(uvicorn.Server):
    """The server in one of several workers. It stops gracefully when its parent was killed."""

    def __init__(self, config: uvicorn.Config, parent_ended: int) -> None:
        super().__init__(config)
        self._parent_ended = parent_ended

    async def serve(self, sockets: list[socket] | None = None) -> None:
        """Serve until a signal or the end of the parent."""
        asyncio.get_running_loop().add_reader(self._parent_ended, self._on_parent_end)
        await super().serve(sockets)

    def _on_parent_end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._parent_ended)
        self.should_exit = True


def serve(host: str, port: int, workers: int) -> str:
    """Serve the product until SIGINT or SIGTERM. Return the error of its import, or "" if there was none.

    Several workers are forks of this process, which imports the product and builds the app once. What belongs to an
    event loop or a thread is created by a worker's lifespan.
    """
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "loop": "uvloop",
        "http": BoundedProtocol,
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,  # tenants.http.proxy_headers decides which proxies to trust
        "log_config": None,
        "timeout_keep_alive": 75,
        "timeout_graceful_shutdown": 10,
        "backlog": 2048,
    }
    try:
        with paused_gc():
            from porchlight import app
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if workers == 1:
        with paused_gc():
            created = app.create()
        uvicorn.run(created, **options)
        return ""

    config = uvicorn.Config("", workers=workers, **options)
    listener = config.bind_socket()
    with paused_gc():
        config.app = app.create()
    config.get_loop_factory()  # imports uvloop
    heap.freeze_gc()

    def work(parent_ended: int) -> int:
        _Worker(config, parent_ended).run([listener])
        return 0

    if code := WorkerGroup(workers, work).run():
        raise SystemExit(code)
    return ""
