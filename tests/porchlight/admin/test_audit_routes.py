"""The routes of the audit log."""

from __future__ import annotations

from tests.porchlight.admin.area import AdminArea, create_guru


async def test_audit_events_are_filtered_and_verified(area: AdminArea) -> None:
    guru = create_guru(area, "audited-guru")
    suspension = f"/api/admin/users/{guru.owner}/suspension"
    await area.web.post(suspension, json={"reason": "spam"}, headers=area.staff)
    events = (await area.web.get("/api/admin/audit?action=user", headers=area.staff)).json()["data"]["items"]
    assert {event["action"].split(".")[0] for event in events} == {"user"}
    state = (await area.web.get("/api/admin/audit/state", headers=area.staff)).json()["data"]
    assert (state["whole"], state["fault"]) == (True, None)
    (entries,) = area.rows("SELECT count(*) FROM audit_log")
    assert state["entries"] == entries[0]
