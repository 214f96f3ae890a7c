"""BodyRoute behaves like FastAPI's own handling of a body."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from fastapi import APIRouter, FastAPI, Request, Response

from porchlight.web import exception_handlers
from sites.leads.schemas import LeadPayload
from tenants.http.routes import BodyRoute, StrictRoute

LEAD = b'{"name":"Ada","email":"ada@example.com","message":"Bread?","consent":true}'
BODIES = [
    LEAD,
    b"",
    b" ",
    b"null",
    b"{}",
    b"[]",
    b"0",
    b"false",
    b'""',
    b'"words"',
    b"[1]",
    b"{",
    b'{"name":NaN}',
    b'{"name":1e400}',
    b'{"name":"\\ud800"}',
    b"\xff\xfe",
    b"[" * 5000,
    LEAD[:-1] + b',"more":1}',
    LEAD.replace(b'"Ada"', b'" "'),
    LEAD.replace(b"true", b'"yes"'),
]
CONTENT_TYPES = [
    "application/json",
    "Application/JSON; charset=utf-8",
    " application/json",
    "application/vnd.lead+json",
    "application/json,text/plain",
    "application/jsonp",
    "text/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "/",
    "",
    None,
]


async def _echo(request: Request, lead: LeadPayload) -> Response:
    return Response(f"{request.method} {lead.model_dump_json()}")


def _router(route_class: type[StrictRoute]) -> APIRouter:
    router = APIRouter(prefix=f"/{route_class.__name__}", route_class=route_class)
    router.add_api_route("/leads", _echo, methods=["POST"])
    return router


@pytest.fixture
def app() -> FastAPI:
    api = FastAPI()
    exception_handlers.install(api)
    api.include_router(_router(StrictRoute))
    api.include_router(_router(BodyRoute))
    return api


async def test_body_route_responds_like_fastapi(app: FastAPI) -> None:
    statuses = set()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        for content_type in CONTENT_TYPES:
            headers = {} if content_type is None else {"content-type": content_type}
            for body in BODIES:
                expected, actual = [
                    await client.post(f"/{route}/leads", content=body, headers=headers)
                    for route in ("StrictRoute", "BodyRoute")
                ]
                assert (actual.status_code, actual.content) == (expected.status_code, expected.content), (
                    content_type,
                    body[:40],
                )
                statuses.add(actual.status_code)
    assert {200, 422} <= statuses


async def _with_query_parameter(request: Request, lead: LeadPayload, page: int) -> Response:
    raise AssertionError("never called")


async def _without_body(request: Request) -> Response:
    raise AssertionError("never called")


@pytest.mark.parametrize("endpoint", [_with_query_parameter, _without_body])
def test_body_route_with_other_signature_raises_at_start(endpoint: Callable[..., object]) -> None:
    router = APIRouter(route_class=BodyRoute)
    with pytest.raises(TypeError, match="endpoint of /odd must take"):
        router.add_api_route("/odd", endpoint, methods=["POST"])
