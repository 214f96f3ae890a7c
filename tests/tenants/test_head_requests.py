"""HEAD requests to the response cache behind a real Uvicorn."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from tenants.http.asgi import Receive, Scope, Send, send_response
from tenants.http.response_cache import ResponseCache

REQUEST = b"HEAD / HTTP/1.1\r\nHost: alpha.porchlight.localhost\r\n\r\n"


@pytest.mark.parametrize("status", [200, 404, 500])
async def test_uncached_head_keeps_connection_open(status: int) -> None:
    """Uvicorn closes the connection if a body is not as long as announced, except for HEAD requests."""

    async def respond(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send_response(send, status, [(b"content-length", b"5")], b"first")

    config = uvicorn.Config(ResponseCache(respond), http="httptools", ws="none", lifespan="off", log_config=None)
    config.load()
    protocol = partial(HttpToolsProtocol, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            for _ in range(2):
                writer.write(REQUEST)
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(f"HTTP/1.1 {status} ".encode())
                assert b"content-length: 5\r\n" in head
        finally:
            writer.close()
            await writer.wait_closed()
