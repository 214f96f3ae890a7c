"""The account export and account deletion."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from uuid import UUID

import httpx
import psycopg
from psycopg.types.json import Jsonb

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.auth.api_client import (
    MAIN_ORIGIN,
    bearer_header,
    create_session_cookie,
    register_user,
)
from tests.porchlight.factories import FLEXIBLE_TERMS, seed_booking, seed_guru
from tests.porchlight.profiles.api_client import create_image, get_profile, upload_photo


async def test_export_contains_only_own_data(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    other_email, _, other = emulator.sign_up()
    await register_user(web, token)
    await register_user(web, other, displayName="Other Person")
    cookie = await create_session_cookie(web, token)
    photo = (await upload_photo(web, token, create_image("JPEG"))).json()["data"]["photoURL"]
    response = await web.get("/api/auth/export", headers=bearer_header(token))
    assert response.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(response.content)) as files:
        names = set(files.namelist())
        assert {"README.txt", "users.json", "profiles.json", "sessions.json"} <= names
        assert files.read(f"profile_photos/{photo.rsplit('/', 1)[-1]}") == (await web.get(photo)).content
        content = b"".join(files.read(name) for name in names).decode("utf-8", "replace")
        assert json.loads(files.read("users.json"))[0]["email"] == email
        assert json.loads(files.read("profiles.json"))[0]["display_name"] == "Ada Alvarez"
        assert len(json.loads(files.read("sessions.json"))) == 1
    assert other_email not in content
    assert "Other Person" not in content
    assert "secret_hash" not in content
    assert cookie["cookie"].removeprefix("__session=") not in content


async def test_account_deletion_removes_all_data(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, _, token = emulator.sign_up()
    profile = await register_user(web, token, displayName="Gone Tomorrow")
    cookie = await create_session_cookie(web, token)
    photo = (await upload_photo(web, token, create_image("JPEG"))).json()["data"]["photoURL"]
    response = await web.delete("/api/auth/account", headers=cookie | {"origin": MAIN_ORIGIN})
    assert response.status_code == 200
    assert (await web.get("/api/auth/session", headers=cookie)).json()["data"] == {"user": None}
    # An ID token that is still valid does not create the account again.
    for path in ("/api/auth/profile", "/api/auth/export"):
        assert (await web.get(path, headers=bearer_header(token))).status_code == 401
    assert (await web.post("/api/auth/register", json={}, headers=bearer_header(token))).status_code == 401
    assert (await web.get(f"/api/users/{profile['handle']}")).status_code == 404
    assert (await web.get(photo)).status_code == 404
    with psycopg.connect(database.superuser_url) as conn:
        for table in ("users", "profiles", "profile_photos", "sessions"):
            rows = conn.execute(f"SELECT t::text FROM {table} t WHERE user_id = %s", [profile["id"]]).fetchall()
            assert len(rows) == (1 if table == "users" else 0)
            assert email not in str(rows)
        args = {"user_id": profile["id"]}
        query = "SELECT args FROM jobs.procrastinate_jobs WHERE task_name = 'auth:delete_identity' AND args @> %s"
        job = conn.execute(query, [json.dumps(args)]).fetchone()
    assert job is not None
    assert email not in str(job)


async def test_account_deletion_needs_recent_sign_in(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, uid, token = emulator.sign_up()
    await register_user(web, token)
    cookie = await create_session_cookie(web, token)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(
            "UPDATE sessions SET authenticated_at = app.now() - interval '16 minutes'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    response = await web.delete("/api/auth/account", headers=cookie | {"origin": MAIN_ORIGIN})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "sign_in_again")
    assert (await get_profile(web, token))["displayName"] == "Ada Alvarez"


async def test_export_contains_own_bookings(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, _, token = emulator.sign_up()
    profile = await register_user(web, token)
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"g{new_id().hex[-12:]}")
        booking_id = seed_booking(conn, guru, UUID(profile["id"]), days_ahead=9)
    response = await web.get("/api/auth/export", headers=bearer_header(token))
    with zipfile.ZipFile(io.BytesIO(response.content)) as files:
        (booking,) = json.loads(files.read("bookings.json"))
        assert (booking["id"], booking["note"]) == (str(booking_id), f"Note {guru.mark}")
        assert {"hold_hash", "address_hash", "digest"}.isdisjoint(booking)
        for name in ("booking_events", "booking_emails"):
            assert [row["booking_id"] for row in json.loads(files.read(f"{name}.json"))] == [str(booking_id)]
        assert json.loads(files.read("waitlist.json")) == []
        assert "bookings.json" in files.read("README.txt").decode()


async def test_account_deletion_cancels_and_erases_bookings(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, _, token = emulator.sign_up()
    profile = await register_user(web, token, displayName="Vanishing Val")
    cookie = await create_session_cookie(web, token)
    person = UUID(profile["id"])
    names = {"person_name": "Vanishing Val", "participants": ["Vanishing Child"], "note": "Vanishing words"}
    with psycopg.connect(database.service_url) as conn:
        gurus = [seed_guru(conn, f"g{new_id().hex[-12:]}") for _ in range(2)]
        open_one = seed_booking(conn, gurus[0], person, days_ahead=9, **names)
        late = {"terms": Jsonb(FLEXIBLE_TERMS | {"free_until_minutes": 43200, "late_percent": 50})}
        late_one = seed_booking(conn, gurus[1], person, days_ahead=10, price_cents=4501, **names, **late)
        expires_at = clock.now() + timedelta(hours=1)
        request = {"status": "requested", "expires_at": expires_at}
        requested = seed_booking(conn, gurus[1], person, days_ahead=11, **names, **request)
        declined = {"status": "declined", "ended_by": "guru", "reason": "No room."}
        past = seed_booking(conn, gurus[1], person, days_ahead=-9, **names, **declined)
        conn.execute("UPDATE waitlist SET person_id = %s WHERE tenant_id = %s", [person, gurus[0].id])
        conn.execute("DELETE FROM waitlist WHERE tenant_id = %s AND ctid <> (SELECT min(ctid) FROM waitlist"
                     " WHERE tenant_id = %s)", [gurus[0].id] * 2)  # fmt: skip
    response = await web.delete("/api/auth/account", headers=cookie | {"origin": MAIN_ORIGIN})
    assert response.status_code == 200, response.text
    with psycopg.connect(database.superuser_url) as conn:
        rows = conn.execute(
            "SELECT id, status, ended_by, owed_cents, reason FROM bookings WHERE person_id = %s", [person]
        ).fetchall()
        assert {row[0]: row[1:] for row in rows} == {
            open_one: ("canceled", "person", 0, ""),
            late_one: ("canceled", "person", 2251, ""),
            requested: ("canceled", "person", 0, ""),
            past: ("declined", "guru", 0, "No room."),
        }
        for table in ("bookings", "booking_events", "booking_emails", "waitlist"):
            left = conn.execute(f"SELECT t::text FROM {table} t WHERE person_id = %s".encode(), [person]).fetchall()
            assert "Vanishing" not in str(left)
            assert bool(left) is (table != "waitlist")
        query = (
            "SELECT DISTINCT side FROM booking_emails WHERE booking_id = %s AND kind = 'canceled' AND status = 'due'"
        )
        assert conn.execute(query, [open_one]).fetchall()
        taken = "SELECT taken, live FROM appointments a JOIN bookings b ON b.appointment_id = a.id WHERE b.id = %s"
        assert conn.execute(taken, [open_one]).fetchone() == (0, False)
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT subject, invitation FROM dev_mailbox WHERE key LIKE %s"
        ((subject, invitation),) = conn.execute(query, [f"booking-{open_one}-%"]).fetchall()
    assert subject == "A neighbor canceled Lesson"
    assert all(line in invitation.splitlines() for line in ("METHOD:CANCEL", "SEQUENCE:1"))
