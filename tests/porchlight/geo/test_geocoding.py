"""Reverse geocoding and search of places, with the gazetteer and with a service."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.ports import free_ports
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.app_client import BASE_HOST, http_client, run_app


@pytest.fixture(scope="module")
async def web(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    async with run_app(database) as app, http_client(app, BASE_HOST) as client:
        yield client


# The ten cities of SPEC 2.3, and the two of SPEC 2.9.
CITIES = {
    "New York": (40.7580, -73.9855, "New York"),
    "Los Angeles": (34.0522, -118.2437, "California"),
    "Chicago": (41.8781, -87.6298, "Illinois"),
    "Houston": (29.7604, -95.3698, "Texas"),
    "Phoenix": (33.4484, -112.0740, "Arizona"),
    "Philadelphia": (39.9526, -75.1652, "Pennsylvania"),
    "San Antonio": (29.4241, -98.4936, "Texas"),
    "San Diego": (32.7157, -117.1611, "California"),
    "Dallas": (32.7767, -96.7970, "Texas"),
    "Austin": (30.2672, -97.7431, "Texas"),
    "Denver": (39.7629, -105.0113, "Colorado"),
    "Boulder": (40.0274, -105.2519, "Colorado"),
}


@pytest.mark.parametrize("city", CITIES)
async def test_reverse_names_large_cities(web: httpx.AsyncClient, city: str) -> None:
    latitude, longitude, state = CITIES[city]
    response = await web.get("/api/geocode/reverse", params={"latitude": latitude, "longitude": longitude})
    assert response.status_code == 200
    place = response.json()
    assert (place["city"], place["principalSubdivision"]) == (city, state)
    assert place["locality"]


@pytest.mark.parametrize(("borough", "point"), {"Brooklyn": (40.650, -73.950), "Queens": (40.749, -73.797)}.items())
async def test_reverse_names_boroughs_new_york(
    web: httpx.AsyncClient, borough: str, point: tuple[float, float]
) -> None:
    response = await web.get("/api/geocode/reverse", params={"latitude": point[0], "longitude": point[1]})
    assert response.json()["city"] == "New York"


@pytest.mark.parametrize("point", [(0, -30), (90, 0), (-90, 180), (-50, -180), (0, 180)])
async def test_reverse_without_place_returns_empty_fields(web: httpx.AsyncClient, point: tuple[float, float]) -> None:
    response = await web.get("/api/geocode/reverse", params={"latitude": point[0], "longitude": point[1]})
    assert response.json() == {"success": True, "city": "", "locality": "", "principalSubdivision": ""}


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", ["latitude", "longitude"]),
        ("latitude=1", ["longitude"]),
        ("latitude=91&longitude=0", ["latitude"]),
        ("latitude=0&longitude=181", ["longitude"]),
        ("latitude=NaN&longitude=0", ["latitude"]),
        ("latitude=inf&longitude=0", ["latitude"]),
        ("latitude=x&longitude=0", ["latitude"]),
        ("latitude=%00&longitude=0", ["latitude"]),
    ],
)
async def test_reverse_invalid_point_is_rejected(web: httpx.AsyncClient, query: str, fields: list[str]) -> None:
    assert list(invalid_fields(await web.get(f"/api/geocode/reverse?{query}"))) == fields


async def test_search_finds_places_by_name(web: httpx.AsyncClient) -> None:
    async def labels(q: str) -> list[str]:
        response = await web.get("/api/geocode/search", params={"q": q, "limit": 3})
        assert response.status_code == 200
        return [place["label"] for place in response.json()["data"]["places"]]

    assert (await labels("boulder"))[0] == "Boulder, Colorado"
    assert (await labels("  DENVER , co "))[0] == "Denver, Colorado"
    assert (await labels("denver, north"))[0] == "Denver, North Carolina"
    assert (await labels("São Pau"))[0].startswith("São Paulo")
    assert await labels("denver, atlantis") == []
    assert await labels("x") == await labels("") == await labels(",") == []
    assert len(await labels("sa")) == 3


async def test_match_route_answers_place_or_choices(web: httpx.AsyncClient) -> None:
    async def match(q: str) -> dict[str, Any]:
        response = await web.get("/api/geocode/match", params={"q": q})
        assert response.status_code == 200
        data: dict[str, Any] = response.json()["data"]
        return data

    clear = await match("st louis mo")
    assert (clear["place"]["label"], clear["choices"], clear["message"]) == ("St. Louis, Missouri", [], "")
    unclear = await match("Springfield")
    assert unclear["place"] is None
    assert unclear["choices"][0]["label"] == "Springfield, Missouri"
    assert unclear["message"] == "There is more than one Springfield."
    assert await match(" ") == {"place": None, "choices": [], "message": ""}
    assert list(invalid_fields(await web.get("/api/geocode/match"))) == ["q"]


class _Service(BaseHTTPRequestHandler):
    queries: list[dict[str, list[str]]]
    reply: tuple[int, bytes]
    url: str

    def do_GET(self) -> None:
        type(self).queries.append(parse_qs(urlsplit(self.path).query))
        status, body = type(self).reply
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log."""


@pytest.fixture
def service() -> Iterator[type[_Service]]:
    class Handler(_Service):
        queries: list[dict[str, list[str]]] = []  # noqa: RUF012 - one list per fixture
        reply = (200, b"{}")

    handler = Handler
    server = ThreadingHTTPServer(("127.0.0.1", free_ports()), handler)
    handler.url = f"http://127.0.0.1:{server.server_address[1]}/reverse?key=k"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


async def test_geocoding_service_replaces_gazetteer(database: Database, service: type[_Service]) -> None:
    reply = {"city": "Springfield", "locality": "", "principalSubdivision": "Oregon", "countryCode": "US", "more": 1}
    service.reply = (200, json.dumps(reply).encode())
    async with run_app(database, geocoder_url=service.url) as app:
        async with http_client(app, BASE_HOST) as web:
            point = {"latitude": "44.04621234", "longitude": "-123.0220"}
            response = await web.get("/api/geocode/reverse", params=point)
            assert response.json() == {
                "success": True, "city": "Springfield", "locality": "", "principalSubdivision": "Oregon",
            }  # fmt: skip
            await web.get("/api/geocode/reverse", params=point)
            # One request, with the operator's key and a rounded point.
            assert service.queries == [{"key": ["k"], "latitude": ["44.046"], "longitude": ["-123.022"]}]
            for failure in ((500, b"{}"), (200, b"<html>"), (200, b"[]"), (302, b"")):
                service.reply = failure
                response = await web.get("/api/geocode/reverse", params={"latitude": 1, "longitude": 1})
                assert response.status_code == 503
                assert "retry-after" in response.headers


def test_gazetteer_uses_little_memory() -> None:
    """A worker has about 200 MB. The gazetteer may use 80 MB and must not import scipy."""
    script = """
import asyncio, psutil, sys
from porchlight.geo.gazetteer import Gazetteer
memory_info = psutil.Process().memory_info
before = memory_info().rss
place = asyncio.run(Gazetteer().reverse(39.7392, -104.9903))
assert place.city == "Denver"
assert not {"scipy", "numpy", "reverse_geocode"} & set(sys.modules)
print((memory_info().rss - before) // 1024**2)
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert 0 < int(process.stdout) < 80
