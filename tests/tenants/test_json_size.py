"""Limits on the shape of JSON bodies."""

from __future__ import annotations

from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI, Request

from porchlight.web import exception_handlers
from tenants.http.json_size import MAX_CONTAINERS, MAX_DEPTH, MAX_MEMBERS, MAX_VALUES, check_json_size
from tenants.http.routes import BodyRoute, FeatureRouter, StrictRoute
from tenants.kit.errors import ValidationFailed
from tenants.kit.schemas import Payload


class Note(Payload):
    """A body with one member."""

    text: str


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        "x",
        None,
        {},
        dict.fromkeys(map(str, range(MAX_MEMBERS)), 1),
        list(range(MAX_VALUES)),
        [{}] * (MAX_CONTAINERS - 1),
        nested(MAX_DEPTH),
    ],
)
def test_json_size_of_any_form_is_accepted(value: Any) -> None:
    check_json_size(value)


@pytest.mark.parametrize(
    "value",
    [
        dict.fromkeys(map(str, range(MAX_MEMBERS + 1)), 1),
        [{"a": 1, "b": 2}] * MAX_MEMBERS,
        list(range(MAX_VALUES + 1)),
        [[1] * 100] * 100,
        [{}] * MAX_CONTAINERS,
        [[]] * MAX_CONTAINERS,
        nested(MAX_DEPTH + 1),
        {"a": nested(500)},
    ],
)
def test_json_size_over_a_limit_is_refused(value: Any) -> None:
    with pytest.raises(ValidationFailed) as refused:
        check_json_size(value)
    assert set(refused.value.fields or ()) == {"body"}


@pytest.mark.parametrize("route", [StrictRoute, BodyRoute])
async def test_route_body_with_many_members_is_refused_once(route: type[StrictRoute]) -> None:
    async def endpoint(request: Request, payload: Note) -> None:
        raise AssertionError("the body is invalid")

    router = FeatureRouter(route_class=route)
    app = FastAPI()
    exception_handlers.install(app)
    router.post("/notes", response_model=None)(endpoint)
    app.include_router(router)
    body = orjson.dumps({"text": "x"} | {f"m{number}": number for number in range(MAX_MEMBERS)})
    headers = {"content-type": "application/json"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        response = await client.post("/notes", content=body, headers=headers)
        broken = await client.post("/notes", content=b'{"text": ', headers=headers)
    assert response.status_code == broken.status_code == 422
    assert response.json()["error"]["fields"] == {"body": "This has too many values."}
    assert list(broken.json()["error"]["fields"].values()) == ["This isn't valid JSON."]
