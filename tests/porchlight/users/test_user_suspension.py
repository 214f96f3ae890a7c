"""Suspension of users and their sites."""

from __future__ import annotations

from porchlight.auth.firebase import FirebaseIdentity
from porchlight.auth.suspension import SYNC_STATUS_TASK
from tests.fixtures.identity import PROJECT, claims
from tests.fixtures.jobs import do_jobs
from tests.porchlight.admin.api_client import OWN_ORIGIN
from tests.porchlight.admin.area import AdminArea, create_guru, create_token, firebase_uid
from tests.porchlight.app_client import BASE_HOST, http_client, wait_until
from tests.porchlight.auth.api_client import create_session_cookie


async def test_user_suspension_applies_in_all_workers(area: AdminArea) -> None:
    guru = create_guru(area, "suspended-guru")
    path = f"/api/admin/users/{guru.owner}"
    async with http_client(area.other, BASE_HOST) as other_web, http_client(area.other, guru.host) as site:
        cookie = await create_session_cookie(other_web, create_token(guru.owner))
        bearer = {"authorization": f"Bearer {create_token(guru.owner)}"}
        assert (await other_web.get("/api/auth/profile", headers=cookie)).status_code == 200
        assert (await site.get("/")).status_code == 200

        assert (await area.web.post(f"{path}/suspension", json={"reason": ""}, headers=area.staff)).status_code == 422
        suspended = await area.web.post(f"{path}/suspension", json={"reason": "spam"}, headers=area.staff)
        assert suspended.status_code == 200
        for headers in (cookie, bearer):
            assert (await other_web.get("/api/auth/profile", headers=headers)).status_code == 401
        rejected = await other_web.post(
            "/api/auth/session", json={"idToken": create_token(guru.owner)}, headers=OWN_ORIGIN
        )
        message = "This account has been disabled. Please contact support."
        assert (rejected.status_code, rejected.json()["error"]["message"]) == (401, message)

        async def is_site_down() -> bool:
            return (await site.get("/")).status_code == 410

        await wait_until("the other instance suspends the site", is_site_down)
        user = (await area.web.get(path, headers=area.staff)).json()["data"]
        assert (user["status"], user["suspendedReason"], user["siteStatus"]) == ("suspended", "spam", "suspended")
        suspended_users = (await area.web.get("/api/admin/users?status=suspended", headers=area.staff)).json()["data"][
            "items"
        ]
        assert str(guru.owner) in [row["id"] for row in suspended_users]

        assert (await area.web.delete(f"{path}/suspension", headers=area.staff)).status_code == 200

        async def is_site_back() -> bool:
            return (await site.get("/")).status_code == 200

        await wait_until("the other instance restores the site", is_site_back)
        old_sign_in = await other_web.get("/api/auth/profile", headers=bearer)
        assert old_sign_in.status_code == 401
        assert await create_session_cookie(other_web, create_token(guru.owner, auth_time=claims()["auth_time"] + 2))
    assert await area.audit_actions(str(guru.owner)) == ["user.restore", "user.suspend"]
    assert (await area.audit_actions("suspended-guru"))[:2] == ["site.restore", "site.suspend"]
    job_count = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = %s AND args ->> 'user_id' = %s"
    assert area.rows(job_count, SYNC_STATUS_TASK, str(guru.owner)) == [(2,)]


async def test_separately_suspended_site_stays_suspended(area: AdminArea) -> None:
    guru = create_guru(area, "twice-suspended")
    user_path, site_path = f"/api/admin/users/{guru.owner}/suspension", "/api/admin/sites/twice-suspended/suspension"
    for path in (user_path, site_path):
        assert (await area.web.post(path, json={"reason": "spam"}, headers=area.staff)).status_code == 200
    await area.web.delete(user_path, headers=area.staff)
    assert area.rows("SELECT status FROM gurus WHERE label = 'twice-suspended'") == [("suspended",)]


async def test_unpublished_site_is_restored_as_unpublished(area: AdminArea) -> None:
    guru = create_guru(area, "unpublished-guru")
    area.rows("UPDATE gurus SET published = false WHERE label = 'unpublished-guru'")
    path = f"/api/admin/users/{guru.owner}/suspension"
    await area.web.post(path, json={"reason": "spam"}, headers=area.staff)
    await area.web.delete(path, headers=area.staff)
    assert area.rows("SELECT status FROM gurus WHERE label = 'unpublished-guru'") == [("unpublished",)]


async def test_suspension_is_synced_to_identity_provider(area: AdminArea) -> None:
    guru = create_guru(area, "synced-guru")
    uid, path = firebase_uid(guru.owner), f"/api/admin/users/{guru.owner}/suspension"
    identity = FirebaseIdentity(PROJECT, area.emulator.host)
    for method, disabled in (("POST", True), ("DELETE", False)):
        body = {"reason": "spam"} if method == "POST" else None
        assert (await area.web.request(method, path, json=body, headers=area.staff)).status_code == 200
        for _ in range(2):  # a job may run twice
            await do_jobs(area.database, identity=identity)
            enqueue = "SELECT app.enqueue(%s, jsonb_build_object('user_id', %s::text), NULL)"
            area.rows(enqueue, SYNC_STATUS_TASK, str(guru.owner))
        assert (await identity.account_status(uid)).disabled is disabled
