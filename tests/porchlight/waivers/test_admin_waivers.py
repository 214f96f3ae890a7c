"""The state of waivers for staff: verification of the chains, and the acknowledgment of the texts."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from porchlight.features.waivers import audit, texts
from porchlight.features.waivers.texts import current_texts_digest
from tests.fixtures.databases import Database
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, SPEC_PAYLOAD, create_waiver_user
from tests.porchlight.waivers.sessions import create_guru, session_waiver


async def state(area: AdminArea) -> dict[str, Any]:
    response = await area.web.get("/api/admin/waivers/state", headers=area.staff)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


def remove_waivers(area: AdminArea) -> None:
    with psycopg.connect(area.database.superuser_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")
        for table in ("waivers", "waiver_links", "waiver_heads"):
            conn.execute(f"DELETE FROM {table}".encode())


async def test_state_verifies_chains_and_finds_changes(area: AdminArea, database: Database) -> None:
    remove_waivers(area)
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
    broken = await state(area)
    assert broken["fault"] == "platform: Link 1 has an invalid signature."
    [chain] = broken["newestChains"]
    assert chain | {"lastAt": ""} == {
        "chainId": "platform", "name": "Platform", "links": 2, "lastAt": "",
        "fault": "Link 1 has an invalid signature.",
    }  # fmt: skip


async def test_state_lists_broken_chains_before_newest(area: AdminArea) -> None:
    remove_waivers(area)
    user = await create_waiver_user(area.web, area.emulator)
    gurus = [create_guru(area.database) for _ in range(3)]
    for guru in gurus:
        await user.accepted(session_waiver(guru))
    with psycopg.connect(area.database.superuser_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")
        conn.execute("UPDATE waiver_links SET at = at - interval '1 hour' WHERE chain_id = %s", [f"guru:{gurus[1].id}"])
        conn.execute("UPDATE waivers SET pdf = 'x' WHERE chain_id = %s", [f"guru:{gurus[0].id}"])
        names: dict[str, str] = dict(conn.execute("SELECT 'guru:' || id, character FROM gurus").fetchall())
    chains = (await state(area))["newestChains"]
    assert [(chain["chainId"], chain["fault"]) for chain in chains] == [
        (f"guru:{gurus[0].id}", "The waiver of link 1 was changed."),
        (f"guru:{gurus[1].id}", "Link 1 has an invalid signature."),
        (f"guru:{gurus[2].id}", None),
    ]
    assert [chain["name"] for chain in chains] == [names[chain["chainId"]] for chain in chains]


async def test_state_of_many_links_verifies_a_part(area: AdminArea, monkeypatch: pytest.MonkeyPatch) -> None:
    user = await create_waiver_user(area.web, area.emulator)
    remove_waivers(area)
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
    acknowledged = await state(area)
    assert acknowledged["textsAcknowledgedAt"]
    assert area.rows("SELECT actor FROM audit_log WHERE action = 'waiver.acknowledge'") == [
        (acknowledged["textsAcknowledgedBy"],)
    ]
    assert await area.audit_actions(current_texts_digest()) == ["waiver.acknowledge"]
    load = texts.current_text
    monkeypatch.setattr(
        texts, "current_text", lambda level: texts.load_text("low", 1) if level == "high" else load(level)
    )
    assert (await state(area))["textsAcknowledgedAt"] is None  # a new text
