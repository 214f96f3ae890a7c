"""Reserved subdomains, such as www: their pages are at the base URL, and the API and health checks stay (SPEC 2.4)."""

from __future__ import annotations

import pytest

from porchlight.app import Porchlight
from tenants.tenancy.hosts import RESERVED_LABELS
from tests.porchlight.app_client import BASE_HOST, http_client


@pytest.mark.parametrize("label", sorted(RESERVED_LABELS))
async def test_reserved_subdomain_redirects_to_base_url(app: Porchlight, label: str) -> None:
    async with http_client(app, f"{label}.{BASE_HOST}") as web:
        for target in ("/", "/skills?tab=coach&q=a%20b", "/u/%C3%A9va", "/robots.txt", "//evil.example/x"):
            response = await web.get(f"http://{label}.{BASE_HOST}:8000{target}")
            assert (response.status_code, response.headers["location"]) == (308, f"http://{BASE_HOST}:8000{target}")


async def test_reserved_subdomain_keeps_api_and_health(app: Porchlight) -> None:
    async with http_client(app, f"api.{BASE_HOST}") as web:
        categories = await web.get("/api/skills/categories")
        for target in ("/healthz", "/readyz"):
            assert (await web.get(target)).status_code == 200, target
    async with http_client(app, BASE_HOST) as web:
        assert (await web.get("/api/skills/categories")).json() == categories.json()
        assert (await web.get("/skills")).status_code != 308
