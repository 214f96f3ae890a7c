"""Flags: SPEC's names and defaults, global and per-guru values."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.app import Porchlight
from porchlight.flags import queries
from porchlight.flags.defaults import UNREAD
from porchlight.settings.environment import REPOSITORY
from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.fixtures.command_line import run_command
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import insert_row

# The names of SPEC 3.
ON_BY_DEFAULT = "booking, messaging, reviews, userProfiles, skillListing, adminDashboard, systemReports"
OFF_BY_DEFAULT = (
    "communityEvents, certifications, orgTools, dataProducts, advancedAnalytics, realTimeChat, aiRecommendations, "
    "mobileApp, darkMode, internationalSupport, instantPayouts"
)
DEFAULTS = dict.fromkeys(ON_BY_DEFAULT.split(", "), True) | dict.fromkeys(OFF_BY_DEFAULT.split(", "), False)


@pytest.fixture
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database) as created:
        yield created


async def _flags(app: Porchlight, host: str = BASE_HOST) -> dict[str, bool]:
    async with http_client(app, host) as web:
        response = await web.get("/api/feature-flags")
    assert response.status_code == 200
    assert response.json()["success"] is True
    flags: dict[str, bool] = response.json()["flags"]
    return flags


def _cli(database: Database, *args: str) -> tuple[int, str]:
    return run_command("flags", *args, env={"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url})


async def test_flag_defaults_match_spec(app: Porchlight) -> None:
    assert await _flags(app) == DEFAULTS
    async with http_client(app, BASE_HOST) as web:
        assert (await web.get("/api/config")).json()["data"]["flags"] == DEFAULTS


async def test_flag_change_is_applied_within_seconds(
    app: Porchlight, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("flagged", "Flagged", "general", ""))
        create_guru(conn, NewGuru("plain", "Plain", "general", ""))
    own_host, other_host = f"flagged.{BASE_HOST}", f"plain.{BASE_HOST}"
    assert await _flags(app) == await _flags(app, own_host) == DEFAULTS
    assert _cli(database, "set", "communityEvents", "on")[0] == 0
    assert _cli(database, "set", "booking", "off", "--guru", "flagged")[0] == 0
    assert _cli(database, "set", "communityEvents", "off", "--guru", "flagged")[0] == 0
    # A running app applies the change within seconds.
    monkeypatch.setattr(queries, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 5))
    assert await _flags(app) == DEFAULTS | {"communityEvents": True}
    assert await _flags(app, other_host) == DEFAULTS | {"communityEvents": True}
    assert await _flags(app, own_host) == DEFAULTS | {"booking": False}
    _, output = _cli(database, "list", "--guru", "flagged")
    lines = {line.split()[0]: line.split()[1:] for line in output.splitlines()}
    assert lines["booking"] == ["off", "guru"]
    assert lines["messaging"] == ["on", "default"]
    assert set(lines) == set(DEFAULTS)
    for args in (("communityEvents", "default"), ("booking", "default", "--guru", "flagged")):
        assert _cli(database, "set", *args)[0] == 0
    _, output = _cli(database, "list")
    assert "communityEvents" in output
    assert all(line.endswith("default") for line in output.splitlines())


async def test_flag_change_is_notified_to_every_process(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    started_at = time.monotonic()
    monkeypatch.setattr(queries, "time", SimpleNamespace(monotonic=lambda: started_at))  # cached flags never expire
    with psycopg.connect(database.service_url) as conn:
        create_guru(conn, NewGuru("notified", "Notified", "general", ""))
    async with run_app(database) as first, run_app(database) as second:
        for args, host in ((("set", "darkMode", "on"), BASE_HOST), (("set", "darkMode", "off", "--guru", "notified"),
                           f"notified.{BASE_HOST}")):  # fmt: skip
            before = [await _flags(each, host) for each in (first, second)]
            assert _cli(database, *args)[0] == 0
            for each, flags in zip((first, second), before, strict=True):
                changed = flags | {"darkMode": not flags["darkMode"]}
                while await _flags(each, host) != changed:  # the runner's time limit ends it
                    await asyncio.sleep(0)
    assert _cli(database, "set", "darkMode", "default")[0] == 0


@pytest.mark.parametrize("args", [("nothing", "on"), ("booking", "maybe"), ("booking", "on", "--guru", "unknown")])
def test_flag_command_rejects_invalid_input(database: Database, args: tuple[str, ...]) -> None:
    code, output = _cli(database, "set", *args)
    assert code == 1
    assert "Traceback" not in output


async def test_flag_routes_are_read_only(app: Porchlight) -> None:
    async with http_client(app, BASE_HOST) as web:
        before = (await web.get("/api/feature-flags")).json()
        for method in ("POST", "PUT", "DELETE"):
            response = await web.request(method, "/api/feature-flags", json={"booking": False})
            assert refusal(response) == (405, "method_not_allowed")
        assert (await web.get("/api/feature-flags")).json() == before


# All routes with these prefixes belong to skill listings (docs/settled-questions.md), new ones too.
LISTING_PREFIXES = ("/api/skills/", "/api/search", "/api/admin/listings")
# Routes below /api/skills that are not listings: the catalog and matches.
NOT_LISTINGS = ("/api/skills/categories", "/api/skills/suggestions", "/api/skills/matches", "/api/skills/openings",
          "/api/skills/rings")  # fmt: skip


async def test_skill_listing_flag_closes_listing_routes(database: Database) -> None:
    user = new_id()
    with psycopg.connect(database.service_url) as conn:
        insert_row(conn, "users", {"user_id": user, "firebase_uid": user.hex, "email": "teacher@mail.example"})
        skills = Jsonb([{"name": "Bread", "level": None}])
        profile = {"user_id": user, "handle": "teacher", "registered_at": clock.now(), "skills_offered": skills}
        insert_row(conn, "profiles", profile)
        (listing,) = conn.execute("SELECT id FROM skill_offers WHERE user_id = %s", [user]).fetchone() or ()
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('skillListing', false)")
    try:
        async with run_app(database, admin_key=ADMIN_KEY) as app, http_client(app, BASE_HOST) as web:
            staff = await sign_in_admin(web)
            document = (await web.get("/api/openapi.json")).json()
            closed = {
                (method, path)
                for path, operations in document["paths"].items()
                for method in operations
                if path.startswith(LISTING_PREFIXES) and not path.startswith(NOT_LISTINGS)
            }
            for method, path in sorted(closed):
                url = re.sub(r"{\w+}", str(listing), path)
                response = await web.request(method, url, headers=staff, json={} if method in ("post", "put") else None)
                assert response.status_code == 404, (method, path, response.text)
    finally:
        with psycopg.connect(database.service_url) as conn:
            conn.execute("DELETE FROM flag_settings")
    async with (
        run_app(database, admin_key=ADMIN_KEY) as app,
        http_client(app, BASE_HOST) as web,
    ):  # with the flag on, the routes respond
        staff = await sign_in_admin(web)
        for path in (f"/api/skills/listings/{listing}", f"/api/admin/listings/{listing}", "/api/search?q=bread"):
            assert (await web.get(path, headers=staff)).status_code == 200, path
    assert {"/api/search", "/api/search/saved", "/api/skills/mine", "/api/skills/offers", "/api/admin/listings"} <= {
        path for _, path in closed
    }


async def test_config_returns_public_settings(database: Database) -> None:
    async with run_app(
        database,
        firebase_project_id="demo",
        firebase_emulator_host="127.0.0.1:9",
        stripe_publishable_key="pk_test",
        stripe_pricing_table_id="prctbl",
        operator_name="Porch Co-op",
        operator_address="1 Elm Street, Denver, CO",
        contact_email="hi@porch.example",
    ) as app:
        async with http_client(app, BASE_HOST) as web:
            data = (await web.get("/api/config")).json()["data"]
            page: httpx.Response = await web.get("/")
    assert data["firebase"] == {
        "projectId": "demo",
        "apiKey": "local",
        "authDomain": "demo.firebaseapp.com",
        "emulatorUrl": "http://127.0.0.1:9",
    }
    assert data["operator"] == {
        "name": "Porch Co-op",
        "address": "1 Elm Street, Denver, CO",
        "phone": "",
        "email": "hi@porch.example",
    }
    assert data["stripe"] == {
        "publishableKey": "pk_test",
        "pricingTableId": "prctbl",
        "scriptUrl": "https://js.stripe.com/v3/pricing-table.js",
    }
    assert data["payments"] == {"available": False}
    # The page may connect to these hosts only.
    csp = page.headers["content-security-policy"] if page.status_code == 200 else None
    if csp is not None:
        assert "connect-src 'self' http://127.0.0.1:9 https://api.stripe.com" in csp
        assert "unsafe" not in csp


async def test_staff_see_which_flags_have_no_effect(database: Database) -> None:
    async with run_app(database, admin_key=ADMIN_KEY) as app, http_client(app, BASE_HOST) as web:
        staff = await sign_in_admin(web)
        answer = (await web.get("/api/feature-flags/admin", headers=staff)).json()
    assert answer["flags"] == DEFAULTS
    assert answer["unread"] == sorted(UNREAD)


def test_unread_flags_are_those_that_no_code_names() -> None:
    code = "".join(
        path.read_text("utf-8")
        for folder in ("platform/porchlight", "sites", "main-web/src")
        for path in (REPOSITORY / folder).rglob("*")
        if path.suffix in (".py", ".ts", ".tsx") and ".test." not in path.name
    )
    reads = r'(?:flags\.on(?:\(|, )|useFlag\(|require_flag\(|require_admin_flag\()"(\w+)"'
    read = set(re.findall(reads, code))
    assert {name for name in DEFAULTS if name not in UNREAD} == read
