"""Baselines: minimal servers, run like the product (uvicorn, uvloop, httptools, one worker).

`python -m tests.bench.baselines bare|api --port N`, with BASELINE_BYTES and BASELINE_DATABASE_URL in the environment.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import uvicorn
from fastapi import FastAPI, Request
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel

from sites.guru import COLUMNS, FROM_GURU, to_response
from tenants.http.asgi import ASGIApp, Receive, Scope, Send


def bare(length: int) -> ASGIApp:
    """Return an app that responds with `length` static bytes, or with 304 to a request with If-None-Match."""
    ok_start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(length).encode())],
    }
    body = {"type": "http.response.body", "body": b"x" * length}
    not_modified = {"type": "http.response.start", "status": 304, "headers": []}
    nothing = {"type": "http.response.body", "body": b""}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await _lifespan(receive, send)
        elif b"if-none-match" in dict(scope["headers"]):
            await send(not_modified)
            await send(nothing)
        else:
            await send(ok_start)
            await send(body)

    return app


async def _lifespan(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


class PlainLead(BaseModel):
    """The fields of a lead, with only their types checked."""

    name: str
    email: str
    message: str
    consent: bool


def api(dsn: str) -> FastAPI:
    """Return a plain FastAPI app: a query with RLS in a pipeline, and a durable INSERT."""
    # As many connections as the product has for writes, so that the baseline does not wait for connections.
    pool = AsyncConnectionPool(dsn, min_size=4, max_size=12, open=False, kwargs={"autocommit": True})

    @contextlib.asynccontextmanager
    async def running(_app: FastAPI) -> AsyncIterator[None]:
        async with pool:
            yield

    app = FastAPI(lifespan=running)
    query = f"SELECT {COLUMNS}{FROM_GURU} WHERE g.id = %(tenant)s"

    @app.get("/gurus/{tenant}/home")
    async def home(tenant: UUID) -> dict[str, Any]:
        async with pool.connection() as conn, conn.pipeline():
            await conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant)])
            cursor = await conn.execute(query, {"tenant": tenant})
        row = await cursor.fetchone()
        return {"success": True, "guru": to_response(row or ())}

    @app.post("/leads", status_code=201)
    async def lead(lead: PlainLead, request: Request) -> dict[str, Any]:
        async with pool.connection() as conn:
            await conn.execute(
                "INSERT INTO plain_leads (id, name, email, message) VALUES (%s, %s, %s, %s)",
                [uuid4(), lead.name, lead.email, lead.message],
            )
        return {"success": True, "message": "Thank you!"}

    return app


def main() -> None:
    """Serve one baseline."""
    kind, port = sys.argv[1], int(sys.argv[3])
    app: Any = bare(int(os.environ["BASELINE_BYTES"])) if kind == "bare" else api(os.environ["BASELINE_DATABASE_URL"])
    uvicorn.run(
        app,
        port=port,
        loop="uvloop",
        http="httptools",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        log_config=None,
        timeout_keep_alive=75,
        backlog=2048,
    )


if __name__ == "__main__":
    main()
