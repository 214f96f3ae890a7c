"""Registration, profiles, photos, export and deletion."""

from __future__ import annotations

import asyncio
import io
import json
import struct
import zipfile
import zlib
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from tests.accounts.calls import MAIN, REGISTRATION, bearer, cookie_of, registered
from tests.platform_.world import BASE, visitor
from tests.support.databases import Database
from tests.support.identity import Emulator


async def _profile(web: httpx.AsyncClient, token: str) -> dict[str, Any]:
    answer = await web.get("/api/auth/profile", headers=bearer(token))
    assert answer.status_code == 200, answer.text
    profile: dict[str, Any] = answer.json()["data"]
    return profile


async def _put(web: httpx.AsyncClient, token: str, body: dict[str, Any]) -> httpx.Response:
    return await web.put("/api/auth/profile", json=body, headers=bearer(token))


async def test_registration_fills_in_the_profile_once(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    first = await web.post("/api/auth/register", json=REGISTRATION, headers=bearer(token))
    assert first.status_code == 201
    profile = first.json()["data"]
    assert profile["email"] == email  # of the token, not of the body
    assert profile["displayName"] == "Ada Alvarez"
    assert profile["handle"].startswith("ada-alvarez")
    assert profile["location"] == "Denver, Colorado"
    assert profile["skills"] == {
        "offered": [{"name": "Bread baking", "level": None}],
        "wanted": [{"name": "Guitar", "level": "beginner"}],
    }
    changed = REGISTRATION | {"displayName": "Somebody Else", "location": "Boulder", "skills": {}}
    again = await web.post("/api/auth/register", json=changed, headers=bearer(token))
    assert again.status_code == 200
    assert again.json()["data"] == profile


async def test_registration_after_the_cookie_exchange(web: httpx.AsyncClient, emulator: Emulator) -> None:
    """The exchange makes an account too; whichever call comes first, the names arrive."""
    _, _, token = emulator.sign_up()
    await cookie_of(web, token)
    assert (await registered(web, token))["displayName"] == "Ada Alvarez"


async def test_registrations_at_once_make_one_account(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, uid, token = emulator.sign_up()

    async def register(name: str) -> httpx.Response:
        # They wait for one another; who waits too long is asked to come again, and has changed nothing.
        for _ in range(20):
            answer = await web.post(
                "/api/auth/register", json=REGISTRATION | {"displayName": name}, headers=bearer(token)
            )
            if answer.status_code != 503:
                break
        return answer

    answers = await asyncio.gather(*(register(f"Name {n}") for n in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({json.dumps(answer.json()["data"]) for answer in answers if answer.status_code == 200}) == 1
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT count(*), count(p.user_id) FROM users u LEFT JOIN profiles p USING (user_id)"
        assert conn.execute(query + " WHERE firebase_uid = %s", [uid]).fetchone() == (1, 1)


async def test_neighbours_of_one_name_get_handles_of_their_own(web: httpx.AsyncClient, emulator: Emulator) -> None:
    tokens = [emulator.sign_up()[2] for _ in range(5)]
    profiles = await asyncio.gather(*(registered(web, token, displayName="Zoë Ångström") for token in tokens))
    handles = [profile["handle"] for profile in profiles]
    assert len(set(handles)) == 5
    assert all(handle.startswith("zoe-angstrom") for handle in handles)


EXTRA: list[dict[str, Any]] = [
    {"role": "admin"},
    {"uid": "somebody"},
    {"plan": "premium-angel"},
    {"id": "00000000-0000-0000-0000-000000000000"},
    {"userId": "00000000-0000-0000-0000-000000000000"},
    {"emailVerified": True},
    {"createdAt": "2020-01-01T00:00:00Z"},
    {"registered_at": None},
    {"display_name": "snake"},
    {"privacy": {"admin": True}},
    {"skills": {"offered": [], "secret": []}},
    {"skills": {"offered": [{"name": "x", "role": "admin"}]}},
]


@pytest.mark.parametrize("extra", EXTRA)
async def test_extra_fields_change_nothing(web: httpx.AsyncClient, emulator: Emulator, extra: dict[str, Any]) -> None:
    _, _, token = emulator.sign_up()
    answer = await web.post("/api/auth/register", json=REGISTRATION | extra, headers=bearer(token))
    assert answer.status_code == 422
    before = await registered(web, token)
    answer = await _put(web, token, {"bio": "changed", "displayName": "Changed"} | extra)
    assert answer.status_code == 422
    assert answer.json()["error"]["fields"]
    assert await _profile(web, token) == before


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"displayName": ""}, "displayName"),
    ({"displayName": "a\nb"}, "displayName"),
    ({"displayName": "x" * 121}, "displayName"),
    ({"bio": "x" * 2001}, "bio"),
    ({"bio": "nul\x00"}, "bio"),
    ({"bio": 7}, "bio"),
    ({"location": "1 Main Street, Denver"}, "location"),
    ({"photoURL": "http://plain.example/a.png"}, "photoURL"),
    ({"photoURL": "javascript:alert(1)"}, "photoURL"),
    ({"photoURL": "https://user:pw@host.example/"}, "photoURL"),
    ({"handle": "Admin"}, "handle"),
    ({"handle": "a--b"}, "handle"),
    ({"handle": "ab"}, "handle"),
    ({"handle": "-abc"}, "handle"),
    ({"languages": ["English"] * 21}, "languages"),
    ({"skills": {"offered": ["x"] * 31}}, "skills.offered"),
    ({"email": "other@example.com"}, "email"),
    ({"privacy": {"publicProfile": "yes"}}, "privacy.publicProfile"),
]


@pytest.mark.parametrize(("body", "field"), WRONG)
async def test_wrong_fields_are_named(
    web: httpx.AsyncClient, emulator: Emulator, body: dict[str, Any], field: str
) -> None:
    _, _, token = emulator.sign_up()
    before = await registered(web, token)
    answer = await _put(web, token, {"availability": "now"} | body)
    assert answer.status_code == 422
    assert any(name.startswith(field) for name in answer.json()["error"]["fields"]), answer.text
    assert await _profile(web, token) == before


async def test_what_is_not_sent_stays(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    before = await registered(web, token)
    changed = {
        "email": email,
        "firstName": "Ada",
        "bio": "I bake.\nAlso on Sundays.",
        "languages": ["English", "Español"],
        "skills": {"wanted": [{"name": "Piano", "level": "intermediate"}, "piano", "Go"]},
        "privacy": {"showSkills": False},
    }
    answer = await _put(web, token, changed)
    assert answer.status_code == 200
    after = answer.json()["data"]
    assert after["bio"] == "I bake.\nAlso on Sundays."
    assert after["skills"]["offered"] == before["skills"]["offered"]
    assert [skill["name"] for skill in after["skills"]["wanted"]] == ["Piano", "Go"]
    assert after["privacy"] == before["privacy"] | {"showSkills": False}
    assert after["displayName"] == before["displayName"]
    assert (await _put(web, token, {"bio": None})).json()["data"]["bio"] == ""
    assert await _profile(web, token) == after | {"bio": ""}


async def test_a_handle_is_one_persons(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, first = emulator.sign_up()
    _, _, second = emulator.sign_up()
    await registered(web, first)
    before = await registered(web, second)
    assert (await _put(web, first, {"handle": "the-baker"})).status_code == 200
    answer = await _put(web, second, {"handle": "the-baker", "bio": "mine"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "handle_taken")
    assert await _profile(web, second) == before


async def test_others_see_what_they_may(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    profile = await registered(web, token)
    await _put(web, token, {"availability": "Evenings", "lastName": "Secretname", "bio": "Hello"})
    url = f"/api/users/{profile['handle']}"
    shown = (await web.get(url)).json()["data"]
    assert shown["location"] == "Denver, Colorado"
    assert shown["availability"] == "Evenings"
    assert set(shown) == {
        "handle", "displayName", "bio", "location", "photoURL", "skills", "languages", "availability", "memberSince",
    }  # fmt: skip
    text = (await web.get(url)).text
    assert email not in text
    assert profile["id"] not in text
    assert "Secretname" not in text
    hidden = {"showLocation": False, "showSkills": False, "showAvailability": False}
    await _put(web, token, {"privacy": hidden})
    shown = (await web.get(url)).json()["data"]
    assert (shown["location"], shown["availability"]) == ("", "")
    assert shown["skills"] == {"offered": [], "wanted": []}
    assert shown["bio"] == "Hello"
    await _put(web, token, {"privacy": {"publicProfile": False}})
    gone = await web.get(url)
    nobody = await web.get("/api/users/nobody-at-all")
    assert gone.status_code == nobody.status_code == 404
    assert gone.content == nobody.content


async def test_an_account_without_a_registration_is_not_shown(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    handle = (await _profile(web, token))["handle"]
    assert (await web.get(f"/api/users/{handle}")).status_code == 404


def _picture(form: str, size: tuple[int, int] = (900, 600), **options: Any) -> bytes:
    made = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(made, form, **options)
    return made.getvalue()


async def _send_photo(web: httpx.AsyncClient, token: str, body: bytes) -> httpx.Response:
    return await web.put("/api/auth/photo", content=body, headers=bearer(token) | {"content-type": "image/jpeg"})


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
async def test_a_photo_is_drawn_anew(web: httpx.AsyncClient, emulator: Emulator, form: str) -> None:
    _, _, token = emulator.sign_up()
    await registered(web, token)
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    body = _picture(form, exif=exif) + b"<script>trailing</script>"
    answer = await _send_photo(web, token, body)
    assert answer.status_code == 200, answer.text
    address = answer.json()["data"]["photoURL"]
    shown = await web.get(address)
    assert shown.headers["content-type"] == "image/webp"
    assert "immutable" in shown.headers["cache-control"]
    with Image.open(io.BytesIO(shown.content)) as opened:
        assert (opened.format, opened.size) == ("WEBP", (512, 512))
        assert not opened.getexif()
    assert b"SecretCamera" not in shown.content
    assert b"script" not in shown.content
    # Another photo, another address; the old one is gone.
    second = (await _send_photo(web, token, _picture("PNG"))).json()["data"]["photoURL"]
    assert second != address
    assert (await web.get(address)).status_code == 404
    removed = await web.delete("/api/auth/photo", headers=bearer(token))
    assert removed.json()["data"]["photoURL"] == ""
    assert (await web.get(second)).status_code == 404


def _bomb() -> bytes:
    """A PNG of a few kilobytes that says it is 30,000 by 30,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100_000))
        + chunk(b"IEND", b"")
    )


BAD_PHOTOS: dict[str, bytes] = {
    "nothing": b"",
    "words": b"hello",
    "an SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "a GIF": b"GIF89a" + b"\0" * 200,
    "a bomb": _bomb(),
    "half a JPEG": _picture("JPEG")[:3000],
    "a dot": _picture("PNG", (4, 4)),
    "HTML": b"<!doctype html><script>alert(1)</script>",
}


@pytest.mark.parametrize("kind", BAD_PHOTOS)
async def test_what_is_no_photo_is_refused(web: httpx.AsyncClient, emulator: Emulator, kind: str) -> None:
    _, _, token = emulator.sign_up()
    await registered(web, token)
    answer = await _send_photo(web, token, BAD_PHOTOS[kind])
    assert answer.status_code == 422, answer.text
    assert (await _profile(web, token))["photoURL"] == ""


async def test_a_photo_has_its_own_limit(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    body = b"\xff\xd8" + b"x" * (9 * 1024 * 1024)
    assert (await _send_photo(web, token, body)).status_code == 413
    answer = await web.put("/api/auth/profile", content=b'{"bio": "' + b"x" * 200_000 + b'"}', headers=bearer(token))
    assert answer.status_code == 413


async def test_a_guru_site_shows_photos(app: Porchlight, web: httpx.AsyncClient, emulator: Emulator) -> None:
    from porchlight.api import ON_GURU_HOSTS

    assert any("/api/photos/x.webp".startswith(prefix) for prefix in ON_GURU_HOSTS)
    for wrong in ("nonsense.webp", "00000000-0000-0000-0000-000000000000.webp", "x"):
        assert (await web.get(f"/api/photos/{wrong}")).status_code == 404


async def test_the_archive_holds_ones_own_data_alone(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    other_email, _, other = emulator.sign_up()
    await registered(web, token)
    await registered(web, other, displayName="Other Person")
    cookie = await cookie_of(web, token)
    photo = (await _send_photo(web, token, _picture("JPEG"))).json()["data"]["photoURL"]
    answer = await web.get("/api/auth/export", headers=bearer(token))
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as files:
        names = set(files.namelist())
        assert {"README.txt", "users.json", "profiles.json", "sessions.json"} <= names
        assert files.read(f"photos/{photo.rsplit('/', 1)[-1]}") == (await web.get(photo)).content
        everything = b"".join(files.read(name) for name in names).decode("utf-8", "replace")
        assert json.loads(files.read("users.json"))[0]["email"] == email
        assert json.loads(files.read("profiles.json"))[0]["display_name"] == "Ada Alvarez"
        assert len(json.loads(files.read("sessions.json"))) == 1
    assert other_email not in everything
    assert "Other Person" not in everything
    assert "secret_hash" not in everything
    assert cookie["cookie"].removeprefix("__session=") not in everything


async def test_deletion_erases(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    email, uid, token = emulator.sign_up()
    profile = await registered(web, token, displayName="Gone Tomorrow")
    cookie = await cookie_of(web, token)
    photo = (await _send_photo(web, token, _picture("JPEG"))).json()["data"]["photoURL"]
    answer = await web.delete("/api/auth/account", headers=cookie | {"origin": MAIN})
    assert answer.status_code == 200
    assert (await web.get("/api/auth/session", headers=cookie)).json()["data"] == {"user": None}
    # A token that is good for another hour brings nothing back.
    for path in ("/api/auth/profile", "/api/auth/export"):
        assert (await web.get(path, headers=bearer(token))).status_code == 401
    assert (await web.post("/api/auth/register", json={}, headers=bearer(token))).status_code == 401
    assert (await web.get(f"/api/users/{profile['handle']}")).status_code == 404
    assert (await web.get(photo)).status_code == 404
    with psycopg.connect(database.superuser_url) as conn:
        for table in ("users", "profiles", "photos", "sessions"):
            rows = conn.execute(f"SELECT t::text FROM {table} t WHERE user_id = %s", [profile["id"]]).fetchall()
            assert len(rows) == (1 if table == "users" else 0)
            assert email not in str(rows)
        args = {"uid": uid}
        query = "SELECT args FROM jobs.procrastinate_jobs WHERE task_name = 'erase_identity' AND args @> %s"
        job = conn.execute(query, [json.dumps(args)]).fetchone()
    assert job is not None
    assert email not in str(job)


async def test_deletion_wants_a_fresh_sign_in(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, uid, token = emulator.sign_up()
    await registered(web, token)
    cookie = await cookie_of(web, token)
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(
            "UPDATE sessions SET authenticated_at = now() - interval '16 minutes'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    answer = await web.delete("/api/auth/account", headers=cookie | {"origin": MAIN})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "sign_in_again")
    assert (await _profile(web, token))["displayName"] == "Ada Alvarez"


async def test_one_does_not_reach_another(app: Porchlight, web: httpx.AsyncClient, emulator: Emulator) -> None:
    """Everything about oneself is asked without an id: there is nothing to guess."""
    _, _, first = emulator.sign_up()
    _, _, second = emulator.sign_up()
    await registered(web, first, displayName="First")
    await registered(web, second, displayName="Second")
    async with visitor(app, BASE) as other:
        await _put(other, second, {"bio": "second's"})
    assert (await _profile(web, first))["bio"] == ""
    assert (await _profile(web, second))["bio"] == "second's"
