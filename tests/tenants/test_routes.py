"""The router of a feature is compared only with paths that one of its routes can match."""

from __future__ import annotations

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from tenants.http.routes import FeatureRouter

compared: list[str] = []


class RecordingRoute(APIRoute):
    """A route that records each comparison with a path."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        compared.append(self.path)
        return super().matches(scope)


def _app() -> FastAPI:
    bread, guitar = (FeatureRouter(route_class=RecordingRoute) for _ in range(2))

    async def name(name: str) -> str:
        return name

    async def every() -> str:
        return "all"

    bread.get("/api/bread")(every)
    bread.get("/api/bread/{name}")(name)
    guitar.get("/api/guitar/{name}/songs")(name)
    app = FastAPI()
    for router in (bread, guitar):
        app.include_router(router)
    return app


@pytest.mark.parametrize(
    ("method", "path", "status", "feature"),
    [
        ("GET", "/api/bread", 200, "/api/bread"),
        ("GET", "/api/bread/rye", 200, "/api/bread"),
        ("POST", "/api/bread/rye", 405, "/api/bread"),
        ("GET", "/api/guitar/jazz/songs", 200, "/api/guitar"),
        ("GET", "/api/guitar/jazz", 404, "/api/guitar"),
        ("GET", "/api/knitting", 404, None),
    ],
)
async def test_feature_router_compares_own_paths(method: str, path: str, status: int, feature: str | None) -> None:
    compared.clear()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(_app()), base_url="http://test") as client:
        response = await client.request(method, path)
    assert response.status_code == status
    assert bool(compared) == (feature is not None)
    assert all(feature is not None and route.startswith(feature) for route in compared)
