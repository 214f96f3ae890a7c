"""Every surface of each flag: the table of tests is complete, and the tests that belong to no feature."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.flags.defaults import DEFAULTS, UNREAD
from porchlight.settings.environment import REPOSITORY
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import insert_row, seed_guru
from tests.porchlight.flags.surfaces import SURFACES, TESTS, Nothing, Surface
from tests.porchlight.matches.factories import UserData, insert_user

BOTH = pytest.mark.parametrize("is_on", [True, False])
# The first path of each area that a flag closes for staff (SPEC 2.12).
ADMIN_AREAS = {
    "booking": "/api/admin/sessions",
    "userProfiles": "/api/admin/users",
    "skillListing": "/api/admin/listings",
    "systemReports": "/api/admin/reports",
}


@asynccontextmanager
async def _app(database: Database, flag: str, is_on: bool) -> AsyncIterator[Porchlight]:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES (%s, %s)", [flag, is_on])
    try:
        async with run_app(database, admin_key=ADMIN_KEY) as app:
            yield app
    finally:
        with psycopg.connect(database.service_url) as conn:
            conn.execute("DELETE FROM flag_settings")


def test_each_flag_is_reserved_or_has_every_surface() -> None:
    assert set(TESTS) == set(DEFAULTS) - UNREAD, "a flag that is read has its surfaces in surfaces.py"
    assert {flag: tuple(surfaces) for flag, surfaces in TESTS.items()} == dict.fromkeys(TESTS, SURFACES)


def _missing(surface: Surface) -> list[str]:
    if isinstance(surface, Nothing):
        return [] if surface.reason else ["a reason"]
    missing = [] if surface else ["a test"]
    for test in surface:
        file, _, name = test.partition("::")
        path = REPOSITORY / file
        text = path.read_text("utf-8") if path.is_file() else ""
        if (f"def {name}(" if file.endswith(".py") else name) not in text:
            missing.append(test)
    return missing


@pytest.mark.parametrize("flag", TESTS)
def test_tests_of_each_surface_exist(flag: str) -> None:
    assert {name: _missing(surface) for name, surface in TESTS[flag].items()} == {name: [] for name in SURFACES}


@BOTH
async def test_profiles_are_found_only_while_they_are_on(database: Database, is_on: bool) -> None:
    user, handle = new_id(), f"shown-{is_on}".lower()
    with psycopg.connect(database.service_url) as conn:
        insert_row(conn, "users", {"user_id": user, "firebase_uid": user.hex, "email": f"{handle}@mail.example"})
        profile = {"user_id": user, "handle": handle, "display_name": "Shown Sasha", "registered_at": clock.now()}
        insert_row(conn, "profiles", profile)
    async with _app(database, "userProfiles", is_on) as app, http_client(app, BASE_HOST) as web:
        api, page = await asyncio.gather(web.get(f"/api/users/{handle}"), web.get(f"/u/{handle}"))
    assert api.status_code == (200 if is_on else 404)
    assert ("Shown Sasha" in page.text) is is_on


@BOTH
async def test_sitemap_has_listings_only_while_they_are_on(database: Database, is_on: bool) -> None:
    with psycopg.connect(database.service_url) as conn:
        insert_user(conn, UserData("Teacher of marquetry", ["Marquetry"]))
    async with _app(database, "skillListing", is_on) as app, http_client(app, BASE_HOST) as web:
        sitemap = (await web.get("/sitemap.xml")).text
    assert "/angels-list/pet-sitting<" in sitemap
    assert ("/listings/" in sitemap) is is_on


@BOTH
@pytest.mark.parametrize("flag", ADMIN_AREAS)
async def test_admin_area_refuses_what_is_off(database: Database, flag: str, is_on: bool) -> None:
    async with _app(database, flag, is_on) as app, http_client(app, BASE_HOST) as web:
        response = await web.get(ADMIN_AREAS[flag], headers=await sign_in_admin(web))
    assert response.status_code == (200 if is_on else 404)
    assert ("This will be available in a future release." in response.text) is not is_on


@BOTH
@pytest.mark.parametrize(
    ("flag", "prop"),
    [
        ("booking", "takesBookings"),
        ("systemReports", "takesReports"),
        ("messaging", "takesMessages"),
    ],
)
async def test_guru_site_passes_flags_to_its_pages(database: Database, flag: str, prop: str, is_on: bool) -> None:
    label = f"{prop}-{is_on}".lower()
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, label, posts=0)
    async with _app(database, flag, is_on) as app, http_client(app, guru.host) as site:
        page = (await site.get("/")).text
    assert f'"{prop}":{str(is_on).lower()}' in page
