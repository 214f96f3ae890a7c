"""Naming points and finding places, offline and by a service."""

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

from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database
from tests.support.ports import free_ports


@pytest.fixture(scope="module")
async def web(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(database) as app, visitor(app, BASE) as client:
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
async def test_cities_are_named(web: httpx.AsyncClient, city: str) -> None:
    latitude, longitude, state = CITIES[city]
    answer = await web.get("/api/geocode/reverse", params={"latitude": latitude, "longitude": longitude})
    assert answer.status_code == 200
    named = answer.json()
    assert (named["city"], named["principalSubdivision"]) == (city, state)
    assert named["locality"]


@pytest.mark.parametrize(("borough", "point"), {"Brooklyn": (40.650, -73.950), "Queens": (40.749, -73.797)}.items())
async def test_a_borough_is_new_york(web: httpx.AsyncClient, borough: str, point: tuple[float, float]) -> None:
    answer = await web.get("/api/geocode/reverse", params={"latitude": point[0], "longitude": point[1]})
    assert answer.json()["city"] == "New York"


@pytest.mark.parametrize("point", [(0, -30), (90, 0), (-90, 180), (-50, -180), (0, 180)])
async def test_where_nobody_lives_nothing_is_said(web: httpx.AsyncClient, point: tuple[float, float]) -> None:
    answer = await web.get("/api/geocode/reverse", params={"latitude": point[0], "longitude": point[1]})
    assert answer.json() == {"success": True, "city": "", "locality": "", "principalSubdivision": ""}


@pytest.mark.parametrize(
    "query", ["", "latitude=1", "latitude=91&longitude=0", "latitude=0&longitude=181", "latitude=NaN&longitude=0",
              "latitude=inf&longitude=0", "latitude=x&longitude=0", "latitude=%00&longitude=0"]
)  # fmt: skip
async def test_what_is_no_point_is_refused(web: httpx.AsyncClient, query: str) -> None:
    answer = await web.get(f"/api/geocode/reverse?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["fields"]


async def test_places_are_found_by_name(web: httpx.AsyncClient) -> None:
    async def labels(q: str) -> list[str]:
        answer = await web.get("/api/geocode/search", params={"q": q, "limit": 3})
        assert answer.status_code == 200
        return [place["label"] for place in answer.json()["data"]["places"]]

    assert (await labels("boulder"))[0] == "Boulder, Colorado"
    assert (await labels("  DENVER , co "))[0] == "Denver, Colorado"
    assert (await labels("denver, north"))[0] == "Denver, North Carolina"
    assert (await labels("São Pau"))[0].startswith("São Paulo")
    assert await labels("denver, atlantis") == []
    assert await labels("x") == await labels("") == await labels(",") == []
    assert len(await labels("sa")) == 3


class _Service(BaseHTTPRequestHandler):
    asked: list[dict[str, list[str]]]
    answer: tuple[int, bytes]

    def do_GET(self) -> None:
        type(self).asked.append(parse_qs(urlsplit(self.path).query))
        status, body = type(self).answer
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[type[_Service]]:
    handler = type("Handler", (_Service,), {"asked": [], "answer": (200, b"{}")})
    server = ThreadingHTTPServer(("127.0.0.1", free_ports()), handler)
    handler.url = f"http://127.0.0.1:{server.server_address[1]}/reverse?key=k"  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


async def test_a_service_may_be_asked_instead(database: Database, service: type[_Service]) -> None:
    said = {"city": "Springfield", "locality": "", "principalSubdivision": "Oregon", "countryCode": "US", "more": 1}
    service.answer = (200, json.dumps(said).encode())
    async with serving(database, geocoder_url=service.url) as app:  # type: ignore[attr-defined]
        async with visitor(app, BASE) as web:
            point = {"latitude": "44.04621234", "longitude": "-123.0220"}
            answer = await web.get("/api/geocode/reverse", params=point)
            assert answer.json() == {
                "success": True, "city": "Springfield", "locality": "", "principalSubdivision": "Oregon",
            }  # fmt: skip
            await web.get("/api/geocode/reverse", params=point)
            # Asked once, with our key, about a place and not about a doorstep.
            assert service.asked == [{"key": ["k"], "latitude": ["44.046"], "longitude": ["-123.022"]}]
            for broken in ((500, b"{}"), (200, b"<html>"), (200, b"[]"), (302, b"")):
                service.answer = broken
                answer = await web.get("/api/geocode/reverse", params={"latitude": 1, "longitude": 1})
                assert answer.status_code == 503
                assert "retry-after" in answer.headers


def test_the_gazetteer_is_small() -> None:
    """A worker with it stays far below 200 MB: it may cost 80, and nothing of scipy."""
    measured = """
import asyncio, psutil, sys
from porchlight.places.gazetteer import Gazetteer
held = psutil.Process().memory_info
before = held().rss
place = asyncio.run(Gazetteer().reverse(39.7392, -104.9903))
assert place.city == "Denver"
assert not {"scipy", "numpy", "reverse_geocode"} & set(sys.modules)
print((held().rss - before) // 1024**2)
"""
    done = subprocess.run([sys.executable, "-c", measured], capture_output=True, text=True, check=True, timeout=120)
    assert 0 < int(done.stdout) < 80
