"""The photo of a new site: uploaded in the wizard, or a link."""

from __future__ import annotations

from typing import Any

import httpx

from porchlight.app import Porchlight
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.onboarding.observers import fetch_home
from tests.porchlight.onboarding.users import PROFILE, Neighbor
from tests.porchlight.profiles.api_client import create_image, get_profile


async def _upload(user: Neighbor, body: bytes) -> httpx.Response:
    headers = {"authorization": f"Bearer {user.token}", "content-type": "image/png"}
    return await user.web.put("/api/onboarding/photo", content=body, headers=headers)


async def _upload_photo(user: Neighbor) -> str:
    response = await _upload(user, create_image("PNG"))
    assert response.status_code == 200, response.text
    path: str = response.json()["data"]["photoUrl"]
    return path


async def test_uploaded_photo_is_on_the_published_site(app: Porchlight, ada: Neighbor) -> None:
    path = await _upload_photo(ada)
    await ada.ready(photoUrl=path)
    label = (await ada.publish()).json()["data"]["subdomain"]
    assert (await fetch_home(app, label))["guru"]["photoUrl"] == path
    async with http_client(app, f"{label}.{BASE_HOST}") as visitor:
        photo = await visitor.get(path)
    assert (photo.status_code, photo.headers["content-type"]) == (200, "image/webp")


async def test_new_upload_keeps_the_published_photo(ada: Neighbor) -> None:
    published = await _upload_photo(ada)
    await ada.ready(photoUrl=published)
    await ada.publish()
    replaced = await _upload_photo(ada)
    newest = await _upload_photo(ada)
    await _upload_photo(ada)
    statuses = [(await ada.web.get(path)).status_code for path in (published, replaced, newest)]
    assert statuses == [200, 404, 200]


async def test_upload_is_saved_as_draft_and_kept(ada: Neighbor) -> None:
    await ada.request_data("PUT", "/draft", {"displayName": "Ada", "zip": "80"})
    path = await _upload_photo(ada)
    saved = await ada.request_data("GET", "/profile")
    assert (saved["displayName"], saved["zip"], saved["photoUrl"]) == ("Ada", "80", path)


async def test_photo_of_another_user_is_rejected(ada: Neighbor, ben: Neighbor) -> None:
    path = await _upload_photo(ada)
    response = await ben.call("POST", "/profile", PROFILE | {"photoUrl": path})
    assert response.status_code == 422
    assert "photoUrl" in response.json()["error"]["fields"]
    assert (await ben.status())["step"]["profileComplete"] is False


async def test_invalid_upload_names_the_photo(ada: Neighbor) -> None:
    response = await _upload(ada, b"not an image")
    assert response.status_code == 422
    assert "photo" in response.json()["error"]["fields"]


async def _profile(user: Neighbor) -> Any:
    return await get_profile(user.web, user.token)


async def test_profile_step_fills_in_the_empty_profile(ada: Neighbor) -> None:
    path = await _upload_photo(ada)
    await ada.request_data("POST", "/profile", PROFILE | {"photoUrl": path})
    profile = await _profile(ada)
    assert (profile["bio"], profile["location"]) == (PROFILE["bio"], "Denver")
    photo = await ada.web.get(profile["photoURL"])
    assert photo.content == (await ada.web.get(path)).content
    assert profile["photoURL"] != path  # its own copy, which a new photo of the site does not remove


async def test_profile_step_keeps_what_the_profile_has(ada: Neighbor) -> None:
    headers = {"authorization": f"Bearer {ada.token}"}
    own = {"bio": "I walk dogs.", "location": "Boulder, Colorado", "photoURL": "https://pictures.example/me.png"}
    assert (await ada.web.put("/api/auth/profile", json=own, headers=headers)).status_code == 200
    await ada.request_data("POST", "/profile", PROFILE | {"photoUrl": "https://pictures.example/logo.png"})
    profile = await _profile(ada)
    assert {name: profile[name] for name in own} == own


async def test_profile_step_without_photo_leaves_none(ada: Neighbor) -> None:
    await ada.request_data("POST", "/profile", PROFILE)
    assert (await _profile(ada))["photoURL"] == ""
