"""Flags: SPEC's names and defaults, what an operator sets, and for whom."""

from __future__ import annotations

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
from tenants.kit.ids import new_id
from tenants.lifecycle import NewGuru, create
from tests.admin.test_staff import KEY, signed_in
from tests.platform_.world import BASE, insert, serving, visitor
from tests.support.databases import Database
from tests.support.product import run_program

# SPEC 3, word for word.
TRUE = "booking, messaging, reviews, userProfiles, skillListing, adminDashboard, systemReports"
FALSE = (
    "communityEvents, certifications, orgTools, dataProducts, advancedAnalytics, realTimeChat, aiRecommendations, "
    "mobileApp, darkMode, internationalSupport, instantPayouts"
)
DEFAULTS = dict.fromkeys(TRUE.split(", "), True) | dict.fromkeys(FALSE.split(", "), False)


@pytest.fixture
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with serving(database) as made:
        yield made


async def _flags(app: Porchlight, host: str = BASE) -> dict[str, bool]:
    async with visitor(app, host) as web:
        answer = await web.get("/api/feature-flags")
    assert answer.status_code == 200
    assert answer.json()["success"] is True
    flags: dict[str, bool] = answer.json()["flags"]
    return flags


def _cli(database: Database, *words: str) -> tuple[int, str]:
    return run_program("flags", *words, env={"PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url})


async def test_the_defaults_are_specs(app: Porchlight) -> None:
    assert await _flags(app) == DEFAULTS
    async with visitor(app, BASE) as web:
        assert (await web.get("/api/config")).json()["data"]["flags"] == DEFAULTS


async def test_what_is_set_is_felt(app: Porchlight, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        create(conn, NewGuru("flagged", "Flagged", "general", ""))
        create(conn, NewGuru("plain", "Plain", "general", ""))
    own, other = f"flagged.{BASE}", f"plain.{BASE}"
    assert await _flags(app) == await _flags(app, own) == DEFAULTS
    assert _cli(database, "set", "communityEvents", "on")[0] == 0
    assert _cli(database, "set", "booking", "off", "--guru", "flagged")[0] == 0
    assert _cli(database, "set", "communityEvents", "off", "--guru", "flagged")[0] == 0
    # Within seconds, in a running app.
    monkeypatch.setattr(queries, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 5))
    assert await _flags(app) == DEFAULTS | {"communityEvents": True}
    assert await _flags(app, other) == DEFAULTS | {"communityEvents": True}
    assert await _flags(app, own) == DEFAULTS | {"booking": False}
    _, listed = _cli(database, "list", "--guru", "flagged")
    lines = {line.split()[0]: line.split()[1:] for line in listed.splitlines()}
    assert lines["booking"] == ["off", "guru"]
    assert lines["messaging"] == ["on", "default"]
    assert set(lines) == set(DEFAULTS)
    for words in (("communityEvents", "default"), ("booking", "default", "--guru", "flagged")):
        assert _cli(database, "set", *words)[0] == 0
    _, listed = _cli(database, "list")
    assert "communityEvents" in listed
    assert all(line.endswith("default") for line in listed.splitlines())


@pytest.mark.parametrize("words", [("nothing", "on"), ("booking", "maybe"), ("booking", "on", "--guru", "nobody")])
def test_the_command_line_says_no(database: Database, words: tuple[str, ...]) -> None:
    code, output = _cli(database, "set", *words)
    assert code == 1
    assert "Traceback" not in output


async def test_flags_are_read_only(app: Porchlight) -> None:
    async with visitor(app, BASE) as web:
        for method in ("POST", "PUT", "DELETE"):
            answer = await web.request(method, "/api/feature-flags", json={"booking": False})
            assert answer.status_code == 405


# Of these routes every one belongs to skill listings (DESIGN 11): a new one among them is closed by the flag as well.
LISTINGS = ("/api/skills/", "/api/search", "/api/admin/listings")
# What stands below /api/skills and is no listing: the catalogue, and matches with what belongs to them.
BESIDE = ("/api/skills/categories", "/api/skills/suggestions", "/api/skills/matches", "/api/skills/openings",
          "/api/skills/rings")  # fmt: skip


async def test_skill_listing_off_closes_every_route_of_listings_and_search(database: Database) -> None:
    user = new_id()
    with psycopg.connect(database.overseer_url) as conn:
        insert(conn, "users", {"user_id": user, "firebase_uid": user.hex, "email": "teacher@mail.example"})
        skills = Jsonb([{"name": "Bread", "level": None}])
        profile = {"user_id": user, "handle": "teacher", "registered_at": "now()", "skills_offered": skills}
        insert(conn, "profiles", profile)
        (listing,) = conn.execute("SELECT id FROM skill_offers WHERE user_id = %s", [user]).fetchone() or ()
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('skillListing', false)")
    try:
        async with serving(database, admin_key=KEY) as app, visitor(app, BASE) as web:
            staff = await signed_in(web)
            document = (await web.get("/api/openapi.json")).json()
            closed = {
                (method, path)
                for path, operations in document["paths"].items()
                for method in operations
                if path.startswith(LISTINGS) and not path.startswith(BESIDE)
            }
            for method, path in sorted(closed):
                url = re.sub(r"{\w+}", str(listing), path)
                answer = await web.request(method, url, headers=staff, json={} if method in ("post", "put") else None)
                assert answer.status_code == 404, (method, path, answer.text)
    finally:
        with psycopg.connect(database.overseer_url) as conn:
            conn.execute("DELETE FROM flag_settings")
    async with serving(database, admin_key=KEY) as app, visitor(app, BASE) as web:  # they are there otherwise
        staff = await signed_in(web)
        for path in (f"/api/skills/listings/{listing}", f"/api/admin/listings/{listing}", "/api/search?q=bread"):
            assert (await web.get(path, headers=staff)).status_code == 200, path
    assert {"/api/search", "/api/search/saved", "/api/skills/mine", "/api/skills/offers", "/api/admin/listings"} <= {
        path for _, path in closed
    }


async def test_config_tells_what_is_configured(database: Database) -> None:
    async with serving(
        database,
        firebase_project_id="demo",
        firebase_emulator_host="127.0.0.1:9",
        stripe_publishable_key="pk_test",
        stripe_pricing_table_id="prctbl",
    ) as app:
        async with visitor(app, BASE) as web:
            data = (await web.get("/api/config")).json()["data"]
            page: httpx.Response = await web.get("/")
    assert data["firebase"] == {
        "projectId": "demo",
        "apiKey": "local",
        "authDomain": "demo.firebaseapp.com",
        "emulatorUrl": "http://127.0.0.1:9",
    }
    assert data["stripe"] == {"publishableKey": "pk_test", "pricingTableId": "prctbl"}
    # The page may talk to exactly these.
    csp = page.headers["content-security-policy"] if page.status_code == 200 else None
    if csp is not None:
        assert "connect-src 'self' http://127.0.0.1:9 https://api.stripe.com" in csp
        assert "unsafe" not in csp
