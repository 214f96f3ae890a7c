"""The risk of a service: the guru reads it and asks for a review, staff answers, and an email tells the guru."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.app_client import BASE_HOST, http_client, run_app, wait_until
from tests.porchlight.mailbox import emails_to
from tests.porchlight.owner import GuruOwner

REVIEWS = "/api/admin/risk-reviews"
SERVICE = {"name": "Barbell evening", "description": "", "priceCents": 4000, "durationMinutes": 60, "features": []}
WHY = "We only lift a broomstick."


@pytest.fixture(scope="module")
async def staff(app: Porchlight, database: Database) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an admin, at another instance."""
    async with run_app(database, admin_key=ADMIN_KEY) as admin_app, http_client(admin_app, BASE_HOST) as web:
        web.headers.update(await sign_in_admin(web))
        yield web


async def _added(owner: GuruOwner, name: str) -> str:
    services = (await owner.call("POST", "/services", SERVICE | {"name": name}, expect=201))["services"]
    return f"/services/{services[-1]['id']}"


async def _ask(owner: GuruOwner, service: str, sentence: str = WHY, *, expect: int = 201) -> Any:
    return await owner.call("POST", f"{service}/risk-review", {"sentence": sentence}, expect=expect)


async def test_review_lowers_rating_and_is_emailed(
    rosa: GuruOwner, staff: httpx.AsyncClient, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    service = await _added(rosa, "Barbell evening")
    before = await rosa.call("GET", f"{service}/risk")
    assert (before["risk"]["rating"], before["review"], before["canAsk"]) == ("high", None, True)
    asked = await _ask(rosa, service)
    assert (asked["review"]["sentence"], asked["review"]["level"], asked["canAsk"]) == (WHY, None, False)
    assert (await _ask(rosa, service, expect=409))["code"] == "review_not_needed"

    (waiting,) = (await staff.get(REVIEWS, params={"search": "barbell evening"})).json()["data"]["items"]
    assert waiting["gurusAsking"] == 1
    detail = (await staff.get(f"{REVIEWS}/{waiting['id']}")).json()["data"]
    (request,) = detail["requests"]
    assert (request["service"], request["subdomain"]) == ("Barbell evening", rosa.guru.label)
    assert (request["sentence"], request["answeredAt"]) == (WHY, None)
    decision = {"level": "medium", "note": "", "replaces": None}
    decided = await staff.put(f"{REVIEWS}/{waiting['id']}/decision", json=decision)
    assert decided.status_code == 200, decided.text
    assert decided.json()["data"]["gurusAsking"] == 0

    async def is_lowered() -> bool:
        return bool((await rosa.call("GET", f"{service}/risk"))["risk"]["rating"] == "medium")

    await wait_until("the decision applies", is_lowered)
    after = await rosa.call("GET", f"{service}/risk")
    assert (after["review"]["level"], after["canAsk"]) == ("medium", False)
    assert (await _ask(rosa, service, expect=409))["code"] == "review_not_needed"

    await do_jobs(database)
    address = service_db.execute("SELECT email FROM users WHERE user_id = %s", [rosa.guru.owner]).fetchone()
    assert address is not None
    subjects = [mail["subject"] for mail in emails_to(service_db, address[0])]
    assert len([subject for subject in subjects if "risk" in subject]) == 1


async def test_fourth_open_review_is_refused(rosa: GuruOwner) -> None:
    services = [await _added(rosa, f"Barbell {day}") for day in ("monday", "tuesday", "friday", "sunday")]
    for service in services[:3]:
        await _ask(rosa, service)
    assert (await _ask(rosa, services[3], expect=409))["code"] == "too_many_reviews"


@pytest.mark.parametrize("sentence", ["", "  ", "x" * 301, "two\nlines"])
async def test_unfit_sentence_is_refused(rosa: GuruOwner, sentence: str) -> None:
    service = f"/services/{rosa.guru.services[0]}"
    assert "sentence" in (await _ask(rosa, service, sentence, expect=422))["fields"]


async def test_service_of_other_guru_is_not_found(rosa: GuruOwner, theo: GuruOwner) -> None:
    service = f"/services/{rosa.guru.services[0]}"
    assert (await theo.call("GET", f"{service}/risk", expect=404))["code"] == "not_found"
    await _ask(theo, service, expect=404)


def test_requests_of_other_users_are_hidden(
    database: Database, rosa: GuruOwner, theo: GuruOwner, service_db: psycopg.Connection[Any]
) -> None:
    with psycopg.connect(database.app_url) as conn:
        counts = []
        for owner in (rosa, theo):
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(owner.guru.owner)])
            counts.append(conn.execute("SELECT count(*) FROM risk_review_requests").fetchone())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("UPDATE risk_review_requests SET level = 'low', answered_at = app.now()")
    assert counts[0] != (0,)
    assert counts[1] == (0,)
