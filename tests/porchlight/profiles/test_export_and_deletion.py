"""The account export and account deletion."""

from __future__ import annotations

import io
import json
import zipfile

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import (
    MAIN_ORIGIN,
    bearer_header,
    create_session_cookie,
    register_user,
)
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
            "UPDATE sessions SET authenticated_at = now() - interval '16 minutes'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    response = await web.delete("/api/auth/account", headers=cookie | {"origin": MAIN_ORIGIN})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "sign_in_again")
    assert (await get_profile(web, token))["displayName"] == "Ada Alvarez"
