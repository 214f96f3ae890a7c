"""The services of Angel's List through the whole app, on real PostgreSQL."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from porchlight.app import Porchlight
from tests.porchlight.app_client import BASE_HOST, send_raw

# SPEC 2.9, verbatim.
SIX = ["Handyman Services", "Moving Help", "Cleaning Services", "Yard Work", "Pet Sitting", "Errands & Shopping"]


async def _data(web: httpx.AsyncClient, **query: str) -> Any:
    response = await web.get("/api/angels", params=query)
    assert response.status_code == 200, response.text
    assert response.json()["success"] is True
    return response.json()["data"]


async def _titles(web: httpx.AsyncClient, **query: str) -> list[str]:
    return [service["title"] for service in (await _data(web, **query))["services"]]


async def test_services_are_six_in_specified_order(web: httpx.AsyncClient) -> None:
    data = await _data(web)
    assert [service["title"] for service in data["services"]] == SIX
    assert sorted(data["cities"]) == ["Boulder", "Denver"]
    assert data["categories"] == ["Home", "Moving", "Cleaning", "Outdoor", "Pets", "Errands"]
    for service in data["services"]:
        assert set(service) == {
            *("id", "title", "description", "avgPrice", "providers", "rating", "city", "category", "cities"),
        }
        assert 15 <= service["avgPrice"] <= 50  # SPEC 9
        # This database has no angels. The demo's angels are tested in demo_data.
        assert (service["providers"], service["rating"], service["cities"]) == (0, None, [])
        assert service["city"] in data["cities"]
        assert service["category"] in data["categories"]


async def test_service_filters_combine(web: httpx.AsyncClient) -> None:
    assert await _titles(web, search="groceries") == ["Errands & Shopping"]
    assert await _titles(web, search="  MOVING  ") == ["Moving Help"]
    assert await _titles(web, category="Pets") == ["Pet Sitting"]
    denver = await _titles(web, city="Denver")
    boulder = await _titles(web, city="boulder")
    assert denver
    assert boulder
    assert sorted(denver + boulder) == sorted(SIX)
    assert await _titles(web, city="Boulder", category="Pets") == []
    assert await _titles(web, city="Boulder", category="Outdoor", search="mow") == ["Yard Work"]


async def test_service_filter_defaults_match_all(web: httpx.AsyncClient) -> None:
    assert await _titles(web, city="All Cities", category="All", search=" ") == SIX


async def test_filter_values_do_not_depend_on_filters(web: httpx.AsyncClient) -> None:
    data = await _data(web, search="no such thing")
    assert data["services"] == []
    assert sorted(data["cities"]) == ["Boulder", "Denver"]
    assert len(data["categories"]) == 6


@pytest.mark.parametrize("search", ["%", "_", "\\", "' OR true --", "🙂"])
async def test_service_search_escapes_unsafe_text(web: httpx.AsyncClient, search: str) -> None:
    assert await _titles(web, search=search) == []


@pytest.mark.parametrize("query", [b"search=%00", b"city=%0A", b"category=" + b"x" * 100, b"search=" + b"x" * 200])
async def test_malformed_service_filters_are_rejected(app: Porchlight, query: bytes) -> None:
    response = await send_raw(app, b"/api/angels?" + query, BASE_HOST)
    fields = json.loads(response.body)["error"]["fields"]
    assert (response.status, list(fields)) == (422, [query.partition(b"=")[0].decode()])
