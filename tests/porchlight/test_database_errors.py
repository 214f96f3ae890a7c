"""Answers to errors of a database connection that a request opened itself, as acts of staff do."""

from __future__ import annotations

import asyncio

import httpx
import psycopg
import pytest
from fastapi import FastAPI

from porchlight.web.exception_handlers import install

NOWHERE = "postgresql://app@127.0.0.1:9/none"  # the port of "discard", on which nothing listens


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (None, 503, "unavailable"),
        (psycopg.errors.AdminShutdown("the connection ended"), 503, "unavailable"),
        (psycopg.errors.UniqueViolation("a fault of the product"), 500, "internal"),
    ],
    ids=["no server", "ended", "fault"],
)
async def test_database_error_of_own_connection_is_answered(
    error: psycopg.Error | None, status: int, code: str
) -> None:
    """Return 503 while the database is down; a decision on a document once was a server error."""
    app = FastAPI()
    install(app)

    @app.put("/decision")
    async def decide() -> None:
        if error is not None:
            raise error
        await asyncio.to_thread(lambda: psycopg.connect(NOWHERE))

    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://porchlight.localhost") as web:
        response = await web.put("/decision")
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert ("retry-after" in response.headers) == (status == 503)
