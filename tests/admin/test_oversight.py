"""What staff do: neighbors suspended and restored, listings hidden, sites looked at as their guru; all written down."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import jwt
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight import jobs
from porchlight.accounts.firebase import FirebaseIdentity
from porchlight.admin import impersonation, listings, people, queries
from porchlight.admin.actions import STANDING_TASK
from porchlight.admin.audit import fault
from porchlight.app import Porchlight
from porchlight.notices.mail import mailer
from tenants.kit.ids import new_id
from tests.accounts.calls import cookie_of
from tests.admin.test_staff import KEY, OWN, signed_in
from tests.platform_.world import BASE, Told, insert, serving, tell, until, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator, claims, start_emulator
from tests.support.jobs import do_jobs
from tests.support.product import PROGRAM
from tests.support.sharing import shared


@pytest.fixture(scope="module")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    with shared(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        made = Emulator(facts["host"])
        yield made
        made.close()


@dataclass(frozen=True)
class Office:
    """Two workers on one database, and staff signed in at the first."""

    app: Porchlight
    other: Porchlight
    database: Database
    web: httpx.AsyncClient
    staff: dict[str, str]
    emulator: Emulator

    def rows(self, query: str, *params: Any) -> list[tuple[Any, ...]]:
        """As the overseer."""
        with psycopg.connect(self.database.overseer_url, autocommit=True) as conn:
            cursor = conn.execute(query.encode(), params)
            return cursor.fetchall() if cursor.description else []

    async def acts(self, subject: str) -> list[str]:
        """What the log says of a subject, the newest first."""
        answer = await self.web.get(f"/api/admin/audit?subject={subject}", headers=self.staff)
        return [act["action"] for act in answer.json()["data"]["items"]]


@pytest.fixture(scope="module")
async def office(database: Database, emulator: Emulator) -> AsyncIterator[Office]:
    parts = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "admin_key": KEY}
    async with serving(database, **parts) as app, serving(database, **parts) as other, visitor(app, BASE) as web:
        yield Office(app, other, database, web, await signed_in(web), emulator)


def guru(office: Office, label: str) -> Told:
    """A guru whose owner can sign in."""
    with psycopg.connect(office.database.overseer_url) as conn:
        told = tell(conn, label, posts=1)
        conn.execute("UPDATE profiles SET registered_at = now() WHERE user_id = %s", [told.owner])
    office.emulator.create(uid_of(told.owner))
    return told


def uid_of(user_id: UUID | None) -> str:
    """The uid that `tell` gives to an owner."""
    assert user_id is not None
    return f"uid-{user_id.hex}"


def token_of(user_id: UUID | None, **changes: Any) -> str:
    """An ID token of theirs, as the emulator makes them: unsigned."""
    return jwt.encode(claims(uid_of(user_id), **changes), "", algorithm="none")


async def test_a_suspended_neighbor_is_shut_out_everywhere_at_once(office: Office) -> None:
    told = guru(office, "ousted")
    path = f"/api/admin/users/{told.owner}"
    async with visitor(office.other, BASE) as elsewhere, visitor(office.other, told.host) as site:
        cookie = await cookie_of(elsewhere, token_of(told.owner))
        bearer = {"authorization": f"Bearer {token_of(told.owner)}"}
        assert (await elsewhere.get("/api/auth/profile", headers=cookie)).status_code == 200
        assert (await site.get("/")).status_code == 200

        assert (
            await office.web.post(f"{path}/suspension", json={"reason": ""}, headers=office.staff)
        ).status_code == 422
        done = await office.web.post(f"{path}/suspension", json={"reason": "spam"}, headers=office.staff)
        assert done.status_code == 200
        for headers in (cookie, bearer):
            assert (await elsewhere.get("/api/auth/profile", headers=headers)).status_code == 401
        refused = await elsewhere.post("/api/auth/session", json={"idToken": token_of(told.owner)}, headers=OWN)
        words = "This account has been disabled. Please contact support."
        assert (refused.status_code, refused.json()["error"]["message"]) == (401, words)

        async def down() -> bool:
            return (await site.get("/")).status_code == 410

        await until("the site goes down with its owner, in the other worker too", down)
        shown = (await office.web.get(path, headers=office.staff)).json()["data"]
        assert (shown["status"], shown["suspendedReason"], shown["siteStatus"]) == ("suspended", "spam", "suspended")
        found = (await office.web.get("/api/admin/users?status=suspended", headers=office.staff)).json()["data"][
            "items"
        ]
        assert str(told.owner) in [person["id"] for person in found]

        assert (await office.web.delete(f"{path}/suspension", headers=office.staff)).status_code == 200

        async def back() -> bool:
            return (await site.get("/")).status_code == 200

        await until("the site comes back with its owner", back)
        old = await elsewhere.get("/api/auth/profile", headers=bearer)
        assert old.status_code == 401, "sign-ins of before count for nothing"
        assert await cookie_of(elsewhere, token_of(told.owner, auth_time=claims()["auth_time"] + 2))
    assert await office.acts(str(told.owner)) == ["user.restore", "user.suspend"]
    assert (await office.acts("ousted"))[:2] == ["site.restore", "site.suspend"]
    jobs = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE task_name = %s AND args ->> 'user_id' = %s"
    assert office.rows(jobs, STANDING_TASK, str(told.owner)) == [(2,)]


async def test_a_site_that_staff_took_down_stays_down(office: Office) -> None:
    told = guru(office, "twice-down")
    person, site = f"/api/admin/users/{told.owner}/suspension", "/api/admin/sites/twice-down/suspension"
    for path in (person, site):
        assert (await office.web.post(path, json={"reason": "spam"}, headers=office.staff)).status_code == 200
    await office.web.delete(person, headers=office.staff)
    assert office.rows("SELECT status FROM gurus WHERE label = 'twice-down'") == [("suspended",)]


async def test_an_unpublished_site_comes_back_unpublished(office: Office) -> None:
    told = guru(office, "resting")
    office.rows("UPDATE gurus SET published = false WHERE label = 'resting'")
    path = f"/api/admin/users/{told.owner}/suspension"
    await office.web.post(path, json={"reason": "spam"}, headers=office.staff)
    await office.web.delete(path, headers=office.staff)
    assert office.rows("SELECT status FROM gurus WHERE label = 'resting'") == [("unpublished",)]


async def test_neighbors_are_found(office: Office) -> None:
    office.rows(
        "INSERT INTO users (user_id, firebase_uid, email) VALUES (%s, 'zelda', 'zelda@fa_r%%away.example')", new_id()
    )
    for search, found in (("ZELDA", 1), ("a_r%aw", 1), ("a_r_aw", 0), ("%", 0), ("ze", 1), ("nobody at all", 0)):
        answer = await office.web.get("/api/admin/users", params={"search": search}, headers=office.staff)
        emails = [person["email"] for person in answer.json()["data"]["items"]]
        assert len([email for email in emails if email.startswith("zelda")]) == found, search
    assert (await office.web.get("/api/admin/users?cursor=x", headers=office.staff)).status_code == 422


async def test_lists_go_page_by_page(office: Office) -> None:
    with psycopg.connect(office.database.overseer_url) as conn:
        for number in range(120):
            insert(
                conn,
                "users",
                {"user_id": new_id(), "firebase_uid": f"page-{number}", "email": f"p{number}@many.example"},
            )
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        query = {"search": "@many.example", "cursor": cursor}
        page = (await office.web.get("/api/admin/users", params=query, headers=office.staff)).json()["data"]
        seen += [person["email"] for person in page["items"]]
        cursor = page["nextCursor"]
    assert seen == [f"p{number}@many.example" for number in reversed(range(120))]


async def test_counters_are_exact(office: Office) -> None:
    async def counted() -> dict[str, int]:
        answer = (await office.web.get("/api/admin/dashboard", headers=office.staff)).json()["data"]
        return {name: counter["total"] for name, counter in answer.items()}

    def held() -> dict[str, int]:
        (row,) = office.rows(
            "SELECT (SELECT count(*) FROM users WHERE status <> 'erased'), (SELECT count(*) FROM skill_offers),"
            " (SELECT count(*) FROM reports)"
        )
        return {"users": row[0], "listings": row[1], "sessions": 0, "reports": row[2]}

    told = guru(office, "counted")
    assert await counted() == held()
    skills = Jsonb([{"name": "Bread", "level": None}, {"name": "Cheese", "level": None}])
    office.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", skills, told.owner)
    before = await counted()
    assert before == held()
    office.rows("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", told.owner)
    office.rows("DELETE FROM profiles WHERE user_id = %s", told.owner)
    after = await counted()
    assert after == held()
    assert (before["users"] - after["users"], before["listings"] - after["listings"]) == (1, 2)
    office.rows("DELETE FROM users WHERE user_id = %s", told.owner)
    assert await counted() == held() == after


async def test_a_hidden_listing_stays_hidden(office: Office) -> None:
    told = guru(office, "teacher")
    bread = Jsonb([{"name": "Sourdough bread", "level": None}])
    office.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", bread, told.owner)
    listed = (await office.web.get("/api/admin/listings?search=sourdough", headers=office.staff)).json()["data"][
        "items"
    ]
    assert [(item["title"], item["status"]) for item in listed] == [("Sourdough bread", "listed")]
    path = f"/api/admin/listings/{listed[0]['id']}"
    public = f"/api/skills/listings/{listed[0]['id']}"
    assert (await office.web.get(public)).status_code == 200
    drawn = {"position": 0, "alt": "A loaf", "width": 1, "height": 1, "body": b"webp", "small": b"webp"}
    with psycopg.connect(office.database.overseer_url) as conn:
        insert(conn, "listing_photos", {"user_id": told.owner, "offer_id": listed[0]["id"], "id": new_id()} | drawn)
    report = {"kind": "listing", "name": listed[0]["id"], "reason": "scam"}
    assert (await office.web.post("/api/reports", json=report)).status_code == 201
    assert (await office.web.post(f"{path}/hiding", json={"reason": "scam"}, headers=office.staff)).status_code == 200
    assert (await office.web.get(public)).status_code == 404
    hidden = (await office.web.get("/api/admin/listings?hidden=true", headers=office.staff)).json()["data"]["items"]
    assert [item["status"] for item in hidden] == ["hidden"]
    detail = (await office.web.get(path, headers=office.staff)).json()["data"]
    assert (detail["hiddenReason"], detail["reports"]) == ("scam", 1)
    (photo,) = detail["photos"]
    assert photo["alt"] == "A loaf"
    seen = await office.web.get(photo["path"], headers=office.staff)  # by staff, though nobody else
    assert (seen.content, seen.headers["cache-control"]) == (b"webp", "private, no-store")
    for skills in (Jsonb([]), bread):  # taken out of the profile, and put back
        office.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", skills, told.owner)
    assert office.rows("SELECT visible FROM skill_offers WHERE user_id = %s", told.owner) == [(False,)]
    again = (await office.web.get("/api/admin/listings?hidden=true", headers=office.staff)).json()["data"]["items"][0]
    shown = await office.web.delete(f"/api/admin/listings/{again['id']}/hiding", headers=office.staff)
    assert shown.status_code == 200
    assert office.rows("SELECT visible FROM skill_offers WHERE user_id = %s", told.owner) == [(True,)]
    assert await office.acts(again["id"]) == ["listing.show"]


async def test_staff_look_as_a_guru_and_change_nothing(office: Office) -> None:
    alpha, beta = guru(office, "looked-at"), guru(office, "not-looked-at")
    web, staff = office.web, office.staff
    as_alpha = staff | {"porchlight-as": alpha.label}
    begin = "/api/admin/sites/looked-at/impersonation"
    assert (await web.get("/api/guru/leads", headers=as_alpha)).status_code == 403, "nothing was begun"
    assert (await web.post(begin, json={"reason": " "}, headers=staff)).status_code == 422
    look = (await web.post(begin, json={"reason": "They asked for help"}, headers=staff)).json()["data"]
    assert (look["label"], look["writing"]) == (alpha.label, False)

    seen = await web.get("/api/guru/leads", headers=as_alpha)
    assert (seen.status_code, alpha.mark in seen.text) == (200, True)
    service = {"name": "A lesson", "priceCents": 4000, "durationMinutes": 60}
    refused = await web.post("/api/guru/services", json=service, headers=as_alpha)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "read_only")
    assert office.rows("SELECT count(*) FROM services WHERE tenant_id = %s", alpha.id) == [(3,)]
    for headers, status in (
        (staff | {"porchlight-as": beta.label}, 403),  # another guru than the one that was begun with
        ({"porchlight-as": alpha.label}, 401),  # nobody
        ({"porchlight-as": alpha.label, "authorization": f"Bearer {token_of(beta.owner)}"}, 401),  # a neighbor
        (as_alpha | {"origin": "http://cooking.porchlight.localhost"}, 403),
    ):
        method = "POST" if "cooking" in headers.get("origin", "") else "GET"
        answer = await web.request(
            method, "/api/guru/services", json=service if method == "POST" else None, headers=headers
        )
        assert answer.status_code == status, headers
    assert (await web.get("/api/auth/profile", headers=as_alpha)).status_code == 401, (
        "the console alone, not the person"
    )
    assert (await web.get("/api/onboarding/documents", headers=as_alpha)).status_code == 401

    raised = await web.put("/api/admin/impersonation/writing", json={"reason": "Agreed by phone"}, headers=staff)
    assert raised.json()["data"]["writing"] is True
    assert (await web.post("/api/guru/services", json=service, headers=as_alpha)).status_code == 201
    assert (await web.delete("/api/admin/impersonation", headers=staff)).status_code == 200
    over = await web.get("/api/guru/leads", headers=as_alpha)
    assert (over.status_code, over.json()["error"]["code"]) == (403, "impersonation_over")
    assert (await web.get("/api/admin/impersonation", headers=staff)).json()["data"] is None
    assert await office.acts(alpha.label) == [
        "impersonation.end",
        "impersonation.change",
        "impersonation.raise",
        "impersonation.begin",
    ]


async def test_a_look_is_over_by_time_and_by_logout(office: Office) -> None:
    told = guru(office, "glanced-at")
    async with visitor(office.app, BASE) as web:
        staff = await signed_in(web)
        as_guru = staff | {"porchlight-as": told.label}
        await web.post("/api/admin/sites/glanced-at/impersonation", json={"reason": "A look"}, headers=staff)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 200
        (span,) = office.rows(
            "SELECT expires_at - started_at FROM impersonations WHERE guru_id = %s AND ended_at IS NULL", told.id
        )
        assert span == (impersonation.LIFETIME,) == (timedelta(minutes=15),)
        office.rows("UPDATE impersonations SET expires_at = now() WHERE guru_id = %s", told.id)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 403
        await web.post("/api/admin/sites/glanced-at/impersonation", json={"reason": "Again"}, headers=staff)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 200
        await web.post("/api/admin/logout", headers=staff)
        assert (await web.get("/api/guru/leads", headers=as_guru)).status_code == 401


async def test_the_log_is_filtered_and_verified(office: Office) -> None:
    areas = (await office.web.get("/api/admin/audit?action=user", headers=office.staff)).json()["data"]["items"]
    assert {act["action"].split(".")[0] for act in areas} == {"user"}
    whole = (await office.web.get("/api/admin/audit/state", headers=office.staff)).json()["data"]
    assert (whole["whole"], whole["fault"]) == (True, None)
    (entries,) = office.rows("SELECT count(*) FROM audit_log")
    assert whole["entries"] == entries[0]


def test_the_command_line_writes_its_acts_down(new_database: Callable[[], Database], tmp_path: Path) -> None:
    database = new_database()
    env = os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url}
    for words in (
        ("guru", "create", "clara"),
        ("guru", "suspend", "clara"),
        ("guru", "restore", "clara"),
        ("guru", "export", "clara", "--to", str(tmp_path / "clara.zip")),
        ("guru", "rename", "clara", "klara"),
        ("domain", "add", "klara", "klara.example"),
        ("flags", "set", "booking", "off"),
        ("guru", "delete", "klara", "--yes"),
    ):
        subprocess.run([str(PROGRAM), *words], env=env, check=True, capture_output=True)
    with psycopg.connect(database.overseer_url) as conn:
        acts = conn.execute("SELECT actor, action FROM audit_log ORDER BY id").fetchall()
        assert fault(conn) is None
    assert {actor for actor, _ in acts} == {"cli"}
    assert [action for _, action in acts] == [
        "site.create", "site.suspend", "site.restore", "site.export", "site.rename", "site.domain", "flag.set",
        "site.delete",
    ]  # fmt: skip


async def test_the_identity_service_lets_nobody_in_until_it_is_told(office: Office) -> None:
    told = guru(office, "told-apart")
    uid, path = uid_of(told.owner), f"/api/admin/users/{told.owner}/suspension"
    identity = FirebaseIdentity(PROJECT, office.emulator.host)
    for act, disabled in (("POST", True), ("DELETE", False)):
        body = {"reason": "spam"} if act == "POST" else None
        assert (await office.web.request(act, path, json=body, headers=office.staff)).status_code == 200
        for _ in range(2):  # a job may run twice
            helpers = jobs.Helpers(mailer("", "x@x.example", office.database.overseer_url), "", identity, "")
            await do_jobs(office.database.overseer_url, helpers)
            again = "SELECT app.enqueue(%s, jsonb_build_object('user_id', %s::text), NULL)"
            office.rows(again, STANDING_TASK, str(told.owner))
        assert (await identity.standing(uid)).disabled is disabled


async def test_what_very_many_match_is_found_the_same(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(office.database.overseer_url) as conn:
        for number in range(60):
            row = {"user_id": new_id(), "firebase_uid": f"many-{number}", "email": f"m{number}@teems.example"}
            insert(conn, "users", row)
            conn.execute(
                "INSERT INTO profiles (user_id, handle, skills_offered) VALUES (%s, %s, %s)",
                [row["user_id"], f"teeming-{number}", Jsonb([{"name": f"Teeming {number}", "level": None}])],
            )
        for number in range(3):
            told = tell(conn, f"teem-{number}", posts=1)
            conn.execute("UPDATE users SET email = %s WHERE user_id = %s", [f"t{number}@owns.example", told.owner])

    async def found(path: str, search: str, **query: str) -> dict[str, Any]:
        answer = await office.web.get(f"/api/admin/{path}", params={"search": search} | query, headers=office.staff)
        data: dict[str, Any] = answer.json()["data"]
        return data

    asked = [
        ("users", "@teems.example"), ("users", "teeming"), ("listings", "teeming"), ("listings", "te"),
        ("sites", "teem"), ("sites", "@owns.example"), ("sites", "t1@owns"),
    ]  # fmt: skip
    few = [await found(*one) for one in asked]
    for room in (people, listings, queries):
        monkeypatch.setattr(room, "MANY", 1)
    assert [await found(*one) for one in asked] == few
    assert [len(page["items"]) for page in few] == [50, 50, 50, 50, 3, 3, 1]
    second = await found("listings", "teeming", cursor=few[2]["nextCursor"])
    assert len({item["id"] for item in few[2]["items"] + second["items"]}) == 60
    assert (await found("sites", "teem", status="suspended"))["items"] == []
