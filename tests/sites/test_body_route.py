"""The short way to a body answers as FastAPI's own way does."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from fastapi import APIRouter, FastAPI, Request, Response

from porchlight import answers
from sites.leads.schemas import LeadPayload
from sites.parts import BodyRoute, StrictRoute

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
KINDS = [
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


def _routes(kind: type[StrictRoute]) -> APIRouter:
    router = APIRouter(prefix=f"/{kind.__name__}", route_class=kind)
    router.add_api_route("/leads", _echo, methods=["POST"])
    return router


@pytest.fixture
def app() -> FastAPI:
    made = FastAPI()
    answers.install(made)
    made.include_router(_routes(StrictRoute))
    made.include_router(_routes(BodyRoute))
    return made


async def test_every_body_is_answered_as_fastapi_answers_it(app: FastAPI) -> None:
    seen = set()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        for kind in KINDS:
            headers = {} if kind is None else {"content-type": kind}
            for body in BODIES:
                long, short = [
                    await client.post(f"/{way}/leads", content=body, headers=headers)
                    for way in ("StrictRoute", "BodyRoute")
                ]
                assert (short.status_code, short.content) == (long.status_code, long.content), (kind, body[:40])
                seen.add(short.status_code)
    assert {200, 422} <= seen


async def _asks_more(request: Request, lead: LeadPayload, page: int) -> Response:
    raise AssertionError("never called")


async def _asks_nothing(request: Request) -> Response:
    raise AssertionError("never called")


@pytest.mark.parametrize("endpoint", [_asks_more, _asks_nothing])
def test_what_takes_more_or_less_is_refused_at_start(endpoint: Callable[..., object]) -> None:
    router = APIRouter(route_class=BodyRoute)
    with pytest.raises(TypeError, match="/odd takes"):
        router.add_api_route("/odd", endpoint, methods=["POST"])
