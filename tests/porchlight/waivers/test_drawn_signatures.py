"""Drawn signatures through the API: limits, receipt, and erasure with the account."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.waivers.audit import audit_fault
from porchlight.features.waivers.drawings import HEIGHT, MAX_LINES, MAX_POINTS, WIDTH, describe_drawing
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.receipts import verify_receipt
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.refusals import NOT_WHOLE, invalid_fields
from tests.porchlight.app_client import create_settings
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, SIGNATURE, WaiverUser, create_waiver_user
from tests.porchlight.waivers.samples import LINES

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
async def user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    return await create_waiver_user(web, emulator)


def drawn(lines: Any) -> dict[str, Any]:
    """Return a waiver with a drawn signature."""
    return HIGH_PAYLOAD | {"signature": SIGNATURE | {"drawn": lines}}


def stored(database: Database, user: WaiverUser) -> tuple[str, dict[str, Any], bytes]:
    """Return record, erasable data and PDF of the user's waiver."""
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT record, erasable, pdf FROM waivers WHERE user_id = %s"
        row = conn.execute(query, [user.user_id]).fetchone()
    assert row is not None
    return row


async def test_drawn_signature_is_in_receipt_and_not_in_record(user: WaiverUser, database: Database) -> None:
    data = await user.accepted(drawn(LINES))
    receipt = (await user.receipt(data["waiverId"])).content
    assert [check.sentence for check in verify_receipt(receipt) if not check.passed] == []
    with zipfile.ZipFile(io.BytesIO(receipt)) as files:
        kept = json.loads(files.read("erasable.json"))["drawnSignature"]
        record = json.loads(files.read("waiver.json"))
    assert kept["value"] == describe_drawing(LINES)
    assert (record["signature"], len(record["commitments"]["drawnSignature"])) == ({"typed": "Ada Alvarez"}, 64)
    assert "180,40" not in json.dumps(record, separators=(",", ":"))


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        ([], {"": "Choose at least one."}),
        ([[]], {".0": "Choose at least 2."}),
        ([[1]], {".0": "Choose at least 2."}),
        ([[1, 2, 3]], {".0": "This needs an x and a y for each point."}),
        ([[-1, 0]], {".0.0": "Use 0 or more."}),
        ([[WIDTH + 1, 0]], {".0.0": "Use 1,000 or less."}),
        ([[0, HEIGHT + 1]], {".0": "This leaves the area for drawing."}),
        ([[0.5, 0]], {".0.0": NOT_WHOLE}),
        ([["1", 2]], {".0.0": NOT_WHOLE}),
        ([[1, 1]] * (MAX_LINES + 1), {"": "Choose 100 or fewer."}),
        ([[1, 1] * (MAX_POINTS // 2), [1, 1] * (MAX_POINTS // 2 + 1)], {"": "This has too many points."}),
        ("iVBORw0KGgo=", {"": "This must be a list."}),
    ],
)
async def test_drawing_beyond_its_limits_is_rejected(user: WaiverUser, lines: Any, fields: dict[str, str]) -> None:
    response = await user.accept(drawn(lines))
    assert invalid_fields(response) == {f"signature.drawn{place}": message for place, message in fields.items()}
    assert await user.waivers() == []


async def test_drawing_at_its_limits_is_accepted(user: WaiverUser) -> None:
    lines = [[WIDTH, HEIGHT] * (MAX_POINTS // MAX_LINES)] * MAX_LINES
    data = await user.accepted(drawn(lines))
    assert all(check.passed for check in verify_receipt((await user.receipt(data["waiverId"])).content))


async def test_account_deletion_erases_drawing_and_its_pdf(user: WaiverUser, database: Database) -> None:
    await user.accepted(drawn(LINES))
    record, erasable, pdf = stored(database, user)
    assert ("drawnSignature" in erasable, pdf[:5]) == (True, b"%PDF-")
    response = await user.web.delete("/api/auth/account", headers=bearer_header(user.token))
    assert response.status_code == 200
    assert stored(database, user) == (record, {}, b"")
    with psycopg.connect(database.service_url) as conn:
        assert audit_fault(conn, waiver_keyring(create_settings(database)).public_keys) is None


@pytest.mark.parametrize(
    "change",
    ["pdf = ''", "pdf = 'other', erasable = '{}'", "erasable = '{}', pdf = '', level = 'extreme'"],
)
async def test_stored_pdf_changes_with_its_drawing_only(user: WaiverUser, database: Database, change: str) -> None:
    await user.accepted(drawn(LINES))
    with psycopg.connect(database.superuser_url) as conn, pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.execute(f"UPDATE waivers SET {change} WHERE user_id = %s".encode(), [user.user_id])


async def test_pdf_without_drawing_cannot_be_erased(user: WaiverUser, database: Database) -> None:
    await user.accepted(HIGH_PAYLOAD)
    update = "UPDATE waivers SET pdf = '', erasable = '{}' WHERE user_id = %s"
    with psycopg.connect(database.superuser_url) as conn, pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        conn.execute(update, [user.user_id])
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("SET LOCAL session_replication_role = replica")  # as someone who can switch triggers off
        conn.execute(update, [user.user_id])
        fault = audit_fault(conn, waiver_keyring(create_settings(database)).public_keys)
        conn.rollback()
    assert fault is not None
    assert "was changed" in fault
