"""Connecting calendars over HTTP, and the jobs that read them."""

from __future__ import annotations

from typing import Any

from porchlight.settings.secret_box import secret_box
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import BASE_HOST, create_settings
from tests.porchlight.busy_sources.web_server import FixedResolver, WebServer
from tests.porchlight.owner import GuruOwner


def serve(server: WebServer, content: bytes, *, status: int = 200, path: str = "/work.ics") -> str:
    """Let a server answer with a calendar file, and return its address."""
    server.files[path] = (status, content)
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


async def connect(owner: GuruOwner, url: str, *, expect: int = 201, key: str = "", **changes: Any) -> Any:
    """Connect a calendar by its address. Return the list of sources, or the error."""
    body = {"kind": "ics", "name": "Work", "url": url} | changes
    headers = {"idempotency-key": key} if key else {}
    return await owner.call("POST", "/busy-sources", body, expect=expect, headers=headers)


async def read_sources(database: Database, server: WebServer, **changes: Any) -> None:
    """Run the jobs that read calendars."""
    dependencies: dict[str, Any] = {
        "secret_box": secret_box(create_settings(database)),
        "resolver": FixedResolver({}),
        "local_calendars": frozenset({f"127.0.0.1:{server.server_address[1]}"}),
        "base_host": BASE_HOST,
    }
    await do_jobs(database, **(dependencies | changes))
