"""Profile updates and public profiles."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from porchlight.app import Porchlight
from tests.fixtures.identity import Emulator
from tests.fixtures.refusals import UNRECOGNIZED, invalid_fields, refusal
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.auth.api_client import (
    REGISTRATION,
    bearer_header,
    register_user,
)
from tests.porchlight.profiles.api_client import get_profile, update_profile

UNKNOWN_FIELDS: list[dict[str, Any]] = [
    {"role": "admin"},
    {"uid": "another"},
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


@pytest.mark.parametrize("extra", UNKNOWN_FIELDS)
async def test_unknown_profile_fields_are_rejected(
    web: httpx.AsyncClient, emulator: Emulator, extra: dict[str, Any]
) -> None:
    _, _, token = emulator.sign_up()
    response = await web.post("/api/auth/register", json=REGISTRATION | extra, headers=bearer_header(token))
    assert UNRECOGNIZED in invalid_fields(response).values()
    before = await register_user(web, token)
    response = await update_profile(web, token, {"bio": "changed", "displayName": "Changed"} | extra)
    assert UNRECOGNIZED in invalid_fields(response).values()
    assert await get_profile(web, token) == before


INVALID_FIELDS: list[tuple[dict[str, Any], str]] = [
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
    ({"skills": {"offered": ["x"] * 251}}, "skills.offered"),
    ({"email": "other@example.com"}, "email"),
    ({"privacy": {"publicProfile": "yes"}}, "privacy.publicProfile"),
]


@pytest.mark.parametrize(("body", "field"), INVALID_FIELDS)
async def test_invalid_profile_fields_are_named_in_error(
    web: httpx.AsyncClient, emulator: Emulator, body: dict[str, Any], field: str
) -> None:
    _, _, token = emulator.sign_up()
    before = await register_user(web, token)
    response = await update_profile(web, token, {"availability": "now"} | body)
    assert response.status_code == 422
    assert any(name.startswith(field) for name in response.json()["error"]["fields"]), response.text
    assert await get_profile(web, token) == before


async def test_profile_update_keeps_missing_fields(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    before = await register_user(web, token)
    changes = {
        "email": email,
        "firstName": "Ada",
        "bio": "I bake.\nAlso on Sundays.",
        "languages": ["English", "Español"],
        "skills": {"wanted": [{"name": "Piano", "level": "intermediate"}, "piano", "Go"]},
        "privacy": {"showSkills": False},
    }
    response = await update_profile(web, token, changes)
    assert response.status_code == 200
    after = response.json()["data"]
    assert after["bio"] == "I bake.\nAlso on Sundays."
    assert after["skills"]["offered"] == before["skills"]["offered"]
    assert [skill["name"] for skill in after["skills"]["wanted"]] == ["Piano", "Go"]
    assert after["privacy"] == before["privacy"] | {"showSkills": False}
    assert after["displayName"] == before["displayName"]
    assert (await update_profile(web, token, {"bio": None})).json()["data"]["bio"] == ""
    assert await get_profile(web, token) == after | {"bio": ""}


async def test_taken_handle_is_conflict(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, first = emulator.sign_up()
    _, _, second = emulator.sign_up()
    await register_user(web, first)
    before = await register_user(web, second)
    assert (await update_profile(web, first, {"handle": "the-baker"})).status_code == 200
    response = await update_profile(web, second, {"handle": "the-baker", "bio": "mine"})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "handle_taken")
    assert await get_profile(web, second) == before


async def test_public_profile_respects_privacy_settings(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    profile = await register_user(web, token)
    await update_profile(web, token, {"availability": "Evenings", "lastName": "Secretname", "bio": "Hello"})
    url = f"/api/users/{profile['handle']}"
    public = (await web.get(url)).json()["data"]
    assert public["location"] == "Denver, Colorado"
    assert public["availability"] == "Evenings"
    assert set(public) == {
        "handle", "displayName", "bio", "location", "photoURL", "skills", "languages", "availability", "memberSince",
    }  # fmt: skip
    text = (await web.get(url)).text
    assert email not in text
    assert profile["id"] not in text
    assert "Secretname" not in text
    hidden = {"showLocation": False, "showSkills": False, "showAvailability": False}
    await update_profile(web, token, {"privacy": hidden})
    public = (await web.get(url)).json()["data"]
    assert (public["location"], public["availability"]) == ("", "")
    assert public["skills"] == {"offered": [], "wanted": []}
    assert public["bio"] == "Hello"
    await update_profile(web, token, {"privacy": {"publicProfile": False}})
    hidden_profile = await web.get(url)
    unknown = await web.get("/api/users/unknown-handle")
    assert hidden_profile.status_code == unknown.status_code == 404
    assert hidden_profile.content == unknown.content


async def test_unregistered_account_has_no_public_profile(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    handle = (await get_profile(web, token))["handle"]
    unknown = await web.get("/api/users/no-such-handle")
    assert (await web.get(f"/api/users/{handle}")).json() == unknown.json()
    assert refusal(unknown) == (404, "not_found")


async def test_profile_requests_affect_only_own_profile(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator
) -> None:
    """These requests contain no user id, so there is nothing to guess."""
    _, _, first = emulator.sign_up()
    _, _, second = emulator.sign_up()
    await register_user(web, first, displayName="First")
    await register_user(web, second, displayName="Second")
    async with http_client(app, BASE_HOST) as other:
        await update_profile(other, second, {"bio": "second's"})
    assert (await get_profile(web, first))["bio"] == ""
    assert (await get_profile(web, second))["bio"] == "second's"
