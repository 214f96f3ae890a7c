"""Accepting, listing, downloading and withdrawing waivers through the API."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from datetime import datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.waivers.actions import MAX_WAIVERS_PER_HOUR
from porchlight.features.waivers.keys import parse_key_set
from porchlight.features.waivers.receipts import verify_receipt
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.factories import seed_guru
from tests.porchlight.waivers.api_client import (
    CONTACT,
    HIGH_PAYLOAD,
    SIGNATURE,
    SPEC_PAYLOAD,
    WaiverUser,
    create_waiver_user,
)

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
async def user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    return await create_waiver_user(web, emulator)


def _execute(database: Database, statement: str, *params: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.superuser_url) as conn:
        cursor = conn.execute(statement.encode(), params)
        return cursor.fetchall() if cursor.description else []


def _record(receipt: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(receipt)) as files:
        record: dict[str, Any] = json.loads(files.read("waiver.json"))
    return record


async def test_spec_payload_alone_is_accepted_unsigned(user: WaiverUser) -> None:
    data = await user.accepted(SPEC_PAYLOAD)
    assert set(data) == {"waiverId", "acceptedAt", "expiresAt"}
    accepted_at, expires_at = (datetime.fromisoformat(data[name]) for name in ("acceptedAt", "expiresAt"))
    assert expires_at - accepted_at == timedelta(days=90)
    [waiver] = await user.waivers()
    assert waiver == data | {
        "exchangeId": "sample-programming",
        "exchangeTitle": "Python for beginners",
        "level": waiver["level"],
        "textVersion": 1,
        "signed": False,
        "isSample": True,
        "guruName": None,
        "endedAt": None,
        "state": "valid",
        "openSessions": 0,
    }


async def test_signed_waiver_receipt_verifies_with_public_keys(user: WaiverUser) -> None:
    data = await user.accepted(HIGH_PAYLOAD | {"signature": SIGNATURE | {"guardian": True}})
    response = await user.receipt(data["waiverId"])
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["cache-control"] == "no-store"
    keys = await user.web.get("/.well-known/porchlight-waiver-keys.json")
    checks = verify_receipt(response.content, parse_key_set(keys.content))
    assert [check.sentence for check in checks if not check.passed] == []
    record = _record(response.content)
    assert record["participant"] == {"name": "Ada Alvarez", "signedBy": "guardian"}
    assert record["signature"] == {"typed": "Ada Alvarez"}
    assert set(record["commitments"]) == {"emergencyContact", "networkAddress", "userAgent"}
    assert "Maria" not in json.dumps(record)
    assert (await user.waivers())[0]["signed"] is True


@pytest.mark.parametrize("contact", [None, CONTACT | {"name": "  "}, CONTACT | {"phone": ""}])
async def test_high_waiver_without_contact_is_rejected(user: WaiverUser, contact: Any) -> None:
    response = await user.accept(HIGH_PAYLOAD | {"emergencyContact": contact})
    fields = [f"emergencyContact.{name}" for name in ("name", "phone") if not (contact or {}).get(name, "").strip()]
    assert list(invalid_fields(response)) == fields
    assert await user.waivers() == []


async def test_client_level_cannot_lower_server_level(user: WaiverUser) -> None:
    response = await user.accept(HIGH_PAYLOAD | {"riskLevel": "low", "emergencyContact": None})
    assert response.status_code == 422
    data = await user.accepted(HIGH_PAYLOAD | {"riskLevel": "low"})
    [waiver] = await user.waivers()
    assert waiver["level"] == "high"
    accepted_at, expires_at = (datetime.fromisoformat(data[name]) for name in ("acceptedAt", "expiresAt"))
    assert expires_at - accepted_at == timedelta(days=30)


async def test_signature_for_lower_level_is_rejected(user: WaiverUser) -> None:
    response = await user.accept(HIGH_PAYLOAD | {"riskLevel": "low", "signature": SIGNATURE})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "waiver_level_changed")


async def test_client_level_can_raise_server_level(user: WaiverUser) -> None:
    await user.accepted(SPEC_PAYLOAD | {"riskLevel": "high", "emergencyContact": CONTACT})
    assert [waiver["level"] for waiver in await user.waivers()] == ["high"]


async def test_contact_below_high_risk_is_not_stored(user: WaiverUser, database: Database) -> None:
    await user.accepted(SPEC_PAYLOAD | {"emergencyContact": CONTACT})
    [(erasable,)] = _execute(database, "SELECT erasable FROM waivers WHERE user_id = %s", user.user_id)
    assert set(erasable) == {"networkAddress", "userAgent"}


async def test_resends_under_one_key_create_one_waiver(user: WaiverUser) -> None:
    payloads = [HIGH_PAYLOAD | {"timestamp": f"{number}"} for number in range(6)]
    responses = await asyncio.gather(*(user.accept(payload, key="once") for payload in payloads))
    assert [response.status_code for response in responses] == [201] * 6
    assert len({response.text for response in responses}) == 1
    assert len(await user.waivers()) == 1
    other = await user.accept(HIGH_PAYLOAD | {"activityDescription": "Karate"}, key="once")
    assert other.status_code == 409


async def test_concurrent_key_for_two_exchanges_is_conflict(user: WaiverUser, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, "twokeys")
    payloads = [SPEC_PAYLOAD | {"exchangeId": name} for name in ("a", f"{guru.label}/{guru.services[0]}")]
    responses = await asyncio.gather(*(user.accept(payload, key="both") for payload in payloads))
    (refused,) = [refusal(response) for response in responses if response.is_error]
    assert refused == (409, "key_reused")
    assert len(await user.waivers()) == 1


async def test_waiver_for_service_is_in_chain_of_guru(user: WaiverUser, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, "chained")
    data = await user.accepted(SPEC_PAYLOAD | {"exchangeId": f"{guru.label}/{guru.services[0]}"})
    rows = _execute(database, "SELECT guru_id, chain_id, number FROM waivers WHERE id = %s", data["waiverId"])
    assert rows == [(guru.id, f"guru:{guru.id}", 1)]
    assert (await user.waivers())[0]["exchangeTitle"] == "service 0 markchained"
    unknown = await user.accept(SPEC_PAYLOAD | {"exchangeId": f"other/{guru.services[0]}"})
    assert unknown.status_code == 404


async def test_waiver_for_listing_is_in_chain_of_teacher(
    user: WaiverUser, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    teacher = await create_waiver_user(web, emulator)
    query = "SELECT id FROM skill_offers WHERE user_id = %s"
    [(offer_id,)] = _execute(database, query, teacher.user_id)
    data = await user.accepted(SPEC_PAYLOAD | {"exchangeId": str(offer_id)})
    rows = _execute(database, "SELECT chain_id FROM waivers WHERE id = %s", data["waiverId"])
    assert rows == [(f"neighbor:{teacher.user_id}",)]
    unknown = await user.accept(SPEC_PAYLOAD | {"exchangeId": data["waiverId"]})
    assert unknown.status_code == 404


@pytest.mark.parametrize(
    ("age", "state"),
    [("29 days 23 hours 59 minutes", "valid"), ("30 days", "expired"), ("400 days", "expired")],
)
async def test_high_waiver_expires_after_30_days(user: WaiverUser, database: Database, age: str, state: str) -> None:
    await user.accepted(HIGH_PAYLOAD)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("SET LOCAL session_replication_role = replica")  # a stored waiver cannot change
        conn.execute(
            "UPDATE waivers SET accepted_at = app.now() - %s::interval,"
            " expires_at = app.now() - %s::interval + (expires_at - accepted_at) WHERE user_id = %s",
            [age, age, user.user_id],
        )
    assert [waiver["state"] for waiver in await user.waivers()] == [state]


async def test_withdrawal_ends_waiver_once(user: WaiverUser) -> None:
    data = await user.accepted(SPEC_PAYLOAD)
    response = await user.withdraw(data["waiverId"])
    assert response.json()["data"]["state"] == "withdrawn"
    again = await user.withdraw(data["waiverId"])
    assert again.json() == response.json()
    assert all(check.passed for check in verify_receipt((await user.receipt(data["waiverId"])).content))


async def test_other_users_waivers_are_not_found(user: WaiverUser, web: httpx.AsyncClient, emulator: Emulator) -> None:
    other = await create_waiver_user(web, emulator)
    data = await user.accepted(SPEC_PAYLOAD)
    assert await other.waivers() == []
    assert (await other.receipt(data["waiverId"])).status_code == 404
    assert (await other.withdraw(data["waiverId"])).status_code == 404
    assert (await user.waivers())[0]["state"] == "valid"


async def test_account_deletion_keeps_verifiable_waiver(user: WaiverUser, database: Database) -> None:
    data = await user.accepted(HIGH_PAYLOAD)
    before = await user.receipt(data["waiverId"])
    response = await user.web.delete("/api/auth/account", headers=bearer_header(user.token))
    assert response.status_code == 200
    rows = _execute(database, "SELECT erasable, record, pdf FROM waivers WHERE user_id = %s", user.user_id)
    with zipfile.ZipFile(io.BytesIO(before.content)) as files:
        assert rows == [({}, files.read("waiver.json").decode(), files.read("waiver.pdf"))]


async def test_export_contains_waivers(user: WaiverUser) -> None:
    data = await user.accepted(HIGH_PAYLOAD)
    response = await user.web.get("/api/auth/export", headers=bearer_header(user.token))
    with zipfile.ZipFile(io.BytesIO(response.content)) as files:
        [row] = json.loads(files.read("waivers.json"))
        assert "waivers.json" in files.read("README.txt").decode()
    assert json.loads(row["record"])["waiverId"] == data["waiverId"]
    assert row["erasable"]["emergencyContact"]["value"]["name"] == "Maria Ortiz"
    assert "pdf" not in row


@pytest.mark.parametrize("level", ["low", "medium", "high", "extreme"])
async def test_text_of_each_level_is_public(web: httpx.AsyncClient, level: str) -> None:
    data = (await web.get(f"/api/liability/texts/{level}")).json()["data"]
    assert (data["level"], data["version"], data["guruText"]) == (level, 1, None)
    assert data["validDays"] == (30 if level in ("high", "extreme") else 90)
    assert data["body"].startswith(f"# {data['title']}\n")


async def test_text_of_unknown_level_is_not_found(web: httpx.AsyncClient) -> None:
    assert refusal(await web.get("/api/liability/texts/none")) == (404, "not_found")


async def test_waivers_are_limited_per_hour(database: Database, emulator: Emulator) -> None:
    changes = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "limits": "on"}
    async with run_app(database, **changes) as limited, _client(limited) as web:
        user = await create_waiver_user(web, emulator)
        statuses = [(await user.accept(SPEC_PAYLOAD)).status_code for _ in range(MAX_WAIVERS_PER_HOUR + 1)]
    assert statuses == [201] * MAX_WAIVERS_PER_HOUR + [429]


def _client(app: Porchlight) -> httpx.AsyncClient:
    return http_client(app, BASE_HOST)
