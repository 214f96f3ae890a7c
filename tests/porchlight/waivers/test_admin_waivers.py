"""The state of waivers for staff: verification of the chains, and the acknowledgment of the texts."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.waivers import audit, texts
from porchlight.features.waivers.texts import current_texts_digest
from tests.fixtures.databases import Database
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.admin.conftest import area
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, SPEC_PAYLOAD, create_waiver_user

__all__ = ["area"]


async def state(area: AdminArea) -> dict[str, Any]:
    response = await area.web.get("/api/admin/waivers/state", headers=area.staff)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


async def test_state_verifies_chains_and_finds_changes(area: AdminArea, database: Database) -> None:
    before = await state(area)
    assert (before["links"], before["lastLink"], before["fault"]) == (0, None, None)
    user = await create_waiver_user(area.web, area.emulator)
    for payload in (SPEC_PAYLOAD, HIGH_PAYLOAD):
        await user.accepted(payload)
    after = await state(area)
    assert (after["chains"], after["links"], after["verifiedLinks"], after["fault"]) == (1, 2, 2, None)
    assert after["keys"] == [{"id": "development", "signs": True}]
    last = after["lastLink"]
    assert area.rows("SELECT number, hash FROM waiver_heads WHERE chain_id = %s", last["chainId"]) == [
        (last["number"], last["sha256"])
    ]
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")  # without the triggers that forbid changes
        conn.execute("UPDATE waiver_links SET pdf_sha256 = repeat('0', 64) WHERE number = 1")
    assert (await state(area))["fault"] == "platform: Link 1 has an invalid signature."


async def test_state_of_many_links_verifies_a_part(area: AdminArea, monkeypatch: pytest.MonkeyPatch) -> None:
    user = await create_waiver_user(area.web, area.emulator)
    with psycopg.connect(area.database.superuser_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")
        for table in ("waivers", "waiver_links", "waiver_heads"):
            conn.execute(f"DELETE FROM {table}".encode())
    for _ in range(3):
        await user.accepted(SPEC_PAYLOAD)
    monkeypatch.setattr(audit, "MAX_VERIFIED_LINKS", 2)
    found = await state(area)
    assert (found["links"], found["verifiedLinks"], found["fault"]) == (3, 2, None)
    monkeypatch.setattr(audit, "MAX_VERIFIED_LINKS", 3)
    found = await state(area)
    assert (found["links"], found["verifiedLinks"], found["fault"]) == (3, 3, None)


async def test_texts_are_acknowledged_once_per_version(area: AdminArea, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await state(area))["textsAcknowledgedAt"] is None
    for _ in range(2):
        response = await area.web.post("/api/admin/waivers/acknowledgment", headers=area.staff)
        assert response.status_code == 200, response.text
    assert (await state(area))["textsAcknowledgedAt"]
    assert await area.audit_actions(current_texts_digest()) == ["waiver.acknowledge"]
    load = texts.current_text
    monkeypatch.setattr(
        texts, "current_text", lambda level: texts.load_text("low", 1) if level == "high" else load(level)
    )
    assert (await state(area))["textsAcknowledgedAt"] is None  # a new text
