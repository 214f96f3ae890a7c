"""The app on a test database, and clients that call it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import httpx

from porchlight.app import Porchlight
from porchlight.settings.environment import Settings
from tests.fixtures.databases import Database
from tests.fixtures.shared_files import share_files
from tests.fixtures.shared_routes import share_routes

share_routes()
share_files()

BASE_HOST = "porchlight.localhost"
USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def create_settings(database: Database, **changes: Any) -> Settings:
    """Return the settings of a test's app; `changes` are fields of Settings."""
    values: dict[str, Any] = {
        "database_url": database.app_url,
        "overseer_database_url": database.service_url,
        "limits": "off",
        "base_host": BASE_HOST,
    }
    return Settings(**(values | changes))


@asynccontextmanager
async def run_app(database: Database, **changes: Any) -> AsyncIterator[Porchlight]:
    """Run the whole app on a database, with its change listener connected."""
    app = Porchlight(create_settings(database, **changes))
    async with app.running():
        await asyncio.wait_for(app.listener.listening.wait(), 60)
        yield app


def http_client(app: Any, host: str, *, address: str = "203.0.113.7", scheme: str = "http") -> httpx.AsyncClient:
    """Create an HTTP client of `host` with the network address `address`."""
    transport = httpx.ASGITransport(app=app, client=(address, 40000))
    return httpx.AsyncClient(
        transport=transport, base_url=f"{scheme}://{host}", headers={"user-agent": USER_AGENT}, timeout=30
    )


@dataclass(frozen=True)
class RawResponse:
    """A response as the app sent it."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the first header of this name."""
        return next((value.decode("latin-1") for key, value in self.headers if key == name.encode()), None)


async def send_raw(
    app: Any,
    target: bytes,
    host: str | bytes | None,
    *,
    method: str = "GET",
    headers: Sequence[tuple[bytes, bytes]] = (),
    body: bytes | Iterable[bytes] = b"",
    address: str = "203.0.113.7",
) -> RawResponse:
    """Call the app with a raw ASGI request, for requests that no HTTP client would send."""
    raw, _, query = target.partition(b"?")
    request_headers = list(headers)
    if host is not None:
        request_headers.insert(0, (b"host", host.encode() if isinstance(host, str) else host))
    chunks = [body] if isinstance(body, bytes) else list(body)
    if isinstance(body, bytes) and not any(name == b"content-length" for name, _ in request_headers):
        request_headers.append((b"content-length", str(len(body)).encode()))
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": unquote(raw.decode("ascii", "replace")), "raw_path": raw, "query_string": query,
        "root_path": "", "headers": request_headers, "client": (address, 40000), "server": ("127.0.0.1", 8000),
        "state": {},
    }  # fmt: skip
    messages: list[Any] = []
    body_messages = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks) - 1}
        for number, chunk in enumerate(chunks)
    ]
    response_sent = asyncio.Event()

    async def receive() -> Any:
        if body_messages:
            return body_messages.pop(0)
        await response_sent.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(scope, receive, send)
    response_sent.set()
    if not messages:
        raise AssertionError("the app sent no response")
    return RawResponse(
        messages[0]["status"],
        list(messages[0].get("headers", [])),
        b"".join(part.get("body", b"") for part in messages[1:]),
    )


async def wait_until(what: str, check: Callable[[], Awaitable[bool]], seconds: float = 120) -> float:
    """Poll `check` until it returns True. Return the duration in seconds."""
    started = asyncio.get_running_loop().time()
    while not await check():
        if asyncio.get_running_loop().time() - started > seconds:
            raise AssertionError(f"within {seconds:g} s: {what}")
        await asyncio.sleep(0.01)
    return asyncio.get_running_loop().time() - started
