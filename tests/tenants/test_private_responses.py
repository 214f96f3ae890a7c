"""Responses to requests with credentials are not stored."""

from __future__ import annotations

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tenants.http.private_responses import PrivateResponses


async def _page(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello", headers=dict(request.query_params))


APP = PrivateResponses(Starlette(routes=[Route("/", _page)]))


@pytest.mark.parametrize(
    ("sent", "stated", "expected"),
    [
        ({"authorization": "Bearer x"}, {}, "no-store"),
        ({"cookie": "a=b"}, {}, "no-store"),
        ({"cookie": "a=b"}, {"Cache-Control": "public, max-age=60"}, "public, max-age=60"),
        ({"cookie": "a=b"}, {"ETag": "x"}, None),
        ({}, {}, None),
    ],
)
async def test_private_response_is_not_stored(
    sent: dict[str, str], stated: dict[str, str], expected: str | None
) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(APP), base_url="http://test") as client:
        response = await client.get("/", headers=sent, params=stated)
    assert (response.status_code, response.headers.get("cache-control")) == (200, expected)
