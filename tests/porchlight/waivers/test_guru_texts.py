"""Waivers with a guru's own text: what is accepted, shown and covered."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.features.waivers import queries
from porchlight.features.waivers.receipts import verify_receipt
from tenants.db.pool import Database as Pool
from tenants.db.unit_of_work import unit_of_work
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.factories import SeededGuru, insert_row
from tests.porchlight.waivers.api_client import SIGNATURE, WaiverUser, create_waiver_user
from tests.porchlight.waivers.sessions import book, create_guru, session_waiver, waiver_of
from tests.tenants.isolation import set_tenant

pytestmark = pytest.mark.usefixtures("app")
TEXT = "Bring gloves.\nNo loose sleeves at the lathe."


@pytest.fixture
async def user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    return await create_waiver_user(web, emulator)


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    """A guru with the third version of a text; they had removed the second."""
    created = create_guru(database)
    add_text(database, created, 3, TEXT)
    return created


def add_text(database: Database, guru: SeededGuru, version: int, body: str) -> None:
    with psycopg.connect(database.service_url) as conn:
        insert_row(conn, "guru_waiver_texts", {"tenant_id": guru.id, "version": version, "body": body})


def signed(guru: SeededGuru, version: int | None, **changes: Any) -> dict[str, Any]:
    """Return a signed waiver by someone who read a version of the guru's text."""
    read = {} if version is None else {"guruTextVersion": version}
    return session_waiver(guru, signature=SIGNATURE, textVersion=1, **read) | changes


async def covers(database: Database, user: WaiverUser, guru: SeededGuru, **conditions: Any) -> bool:
    """Return whether a waiver of the user is enough for a new session with the guru."""
    person = UUID(user.user_id)
    async with Pool(database.app_url) as pool, unit_of_work(pool, user_id=person) as session:
        found = await queries.service_waiver(
            session, person, guru_id=guru.id, service_id=guru.services[0], level="high",
            **({"signed": False} | conditions),
        )  # fmt: skip
    return found is not None


async def shown(web: httpx.AsyncClient, guru: SeededGuru) -> dict[str, Any] | None:
    """Return the guru's text as the dialog shows it."""
    exchange = f"{guru.label}/{guru.services[0]}"
    response = await web.get("/api/liability/texts/high", params={"exchangeId": exchange})
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    text: dict[str, Any] | None = response.json()["data"]["guruText"]
    return text


async def test_text_of_service_comes_with_its_gurus_text(
    web: httpx.AsyncClient, guru: SeededGuru, database: Database
) -> None:
    digest = sha256(TEXT.encode()).hexdigest()
    assert await shown(web, guru) == {
        "guruName": f"Guru {guru.mark}", "version": 3, "body": TEXT, "sha256": digest,
    }  # fmt: skip
    assert await shown(web, create_guru(database)) is None
    add_text(database, guru, 4, "")
    assert await shown(web, guru) is None
    for exchange, status in ((f"unknown/{guru.services[0]}", 404), ("sample-judo", 200), ("no such!", 422)):
        response = await web.get("/api/liability/texts/high", params={"exchangeId": exchange})
        assert response.status_code == status, exchange


async def test_record_names_version_and_sha256_of_gurus_text(user: WaiverUser, guru: SeededGuru) -> None:
    data = await user.accepted(signed(guru, 3))
    receipt = (await user.receipt(data["waiverId"])).content
    assert all(check.passed for check in verify_receipt(receipt))
    with zipfile.ZipFile(io.BytesIO(receipt)) as files:
        texts = json.loads(files.read("waiver.json"))["texts"]
    own = {"name": f"guru:{guru.id}", "version": 3, "sha256": sha256(TEXT.encode()).hexdigest()}
    assert [text["name"] for text in texts] == ["high", own["name"]]
    assert texts[1] == own


@pytest.mark.parametrize("version", [None, 0, 1, 2, 4])
async def test_signature_under_another_text_is_rejected(
    user: WaiverUser, guru: SeededGuru, version: int | None
) -> None:
    response = await user.accept(signed(guru, version))
    assert (response.status_code, response.json()["error"]["code"]) == (409, "text_changed")
    assert await user.waivers() == []
    assert (await user.accept(signed(guru, 3, textVersion=2))).json()["error"]["code"] == "text_changed"


async def test_signature_for_guru_without_text_names_none(user: WaiverUser, database: Database) -> None:
    guru = create_guru(database)
    assert (await user.accept(signed(guru, 2))).json()["error"]["code"] == "text_changed"
    await user.accepted(signed(guru, 0))
    assert await covers(database, user, guru, signed=True)


async def test_resend_after_text_change_returns_the_first_waiver(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    first = await user.accept(signed(guru, 3), key="once")
    add_text(database, guru, 4, "New.")
    assert (await user.accept(signed(guru, 3), key="once")).json() == first.json()


async def test_changed_text_needs_new_waiver_for_new_bookings_only(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    booking = book(database, guru, user)
    accepted = await user.accepted(signed(guru, 3))
    assert await covers(database, user, guru)
    add_text(database, guru, 4, "Bring goggles.")
    assert not await covers(database, user, guru)
    assert await covers(database, user, guru, any_guru_text=True)
    assert waiver_of(database, booking)[0] == accepted["waiverId"]
    assert [waiver["state"] for waiver in await user.waivers()] == ["valid"]
    add_text(database, guru, 5, "")
    assert await covers(database, user, guru)


async def test_spec_payload_alone_does_not_cover_gurus_text(
    user: WaiverUser, guru: SeededGuru, database: Database
) -> None:
    await user.accepted(session_waiver(guru))
    assert not await covers(database, user, guru)
    await user.accepted(session_waiver(guru, guruTextVersion=3))
    assert await covers(database, user, guru)
    assert not await covers(database, user, guru, signed=True)
    await user.accepted(signed(guru, 3))
    assert await covers(database, user, guru, signed=True)


def test_app_role_reads_and_adds_texts_of_its_guru_only(database: Database, guru: SeededGuru) -> None:
    other = create_guru(database)
    row = "INSERT INTO guru_waiver_texts (tenant_id, version, body) VALUES (%s, 9, 'x')"
    with psycopg.connect(database.app_url) as conn:
        set_tenant(conn, other.id)
        assert conn.execute("SELECT DISTINCT tenant_id FROM guru_waiver_texts").fetchall() == [(other.id,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(row, [guru.id])
    for change in ("UPDATE guru_waiver_texts SET body = 'x'", "DELETE FROM guru_waiver_texts"):
        with psycopg.connect(database.app_url) as conn:
            set_tenant(conn, guru.id)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(change.encode())
    with psycopg.connect(database.superuser_url) as conn, pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.execute("UPDATE guru_waiver_texts SET body = 'x' WHERE tenant_id = %s", [guru.id])
