"""Photos of needs: re-encoding, visibility, order and deletion."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import psycopg
from PIL import Image

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.images import png
from tests.porchlight.angels.users import ApiUser, owner_with_need, photo_with_location
from tests.porchlight.named_users import CreateUser


async def test_need_photos_are_reencoded_and_visible_with_need(create_user: CreateUser) -> None:
    owner, posted = await owner_with_need(create_user)
    stranger = await create_user("Stella Stranger")
    path = f"/api/needs/{posted['id']}/photos"
    assert (
        await owner.request("POST", path, content=b"<svg/>", headers={"content-type": "image/png"})
    ).status_code == 422
    assert (await stranger.request("POST", path, content=photo_with_location())).status_code == 404
    responses = [await owner.request("POST", path, content=photo_with_location()) for _ in range(5)]
    assert [response.status_code for response in responses] == [201, 201, 201, 201, 422]
    photos = (await stranger.get(f"/api/needs/{posted['id']}"))["need"]["photos"]
    assert len(photos) == 4
    response = await stranger.request("GET", photos[0])
    assert response.headers["content-type"] == "image/webp"
    with Image.open(io.BytesIO(response.content)) as picture:
        assert picture.size == (1280, 720)
        assert not picture.getexif()
    await owner.request("POST", f"/api/needs/{posted['id']}/withdrawal")
    assert (await stranger.request("GET", photos[0])).status_code == 404
    assert (await owner.request("GET", photos[0])).status_code == 200


async def test_need_photos_of_suspended_owner_are_gone(create_user: CreateUser, database: Database) -> None:
    owner, posted = await owner_with_need(create_user)
    stranger = await create_user("Stella Stranger")
    (photo,) = await _with_photos(owner, posted, 1)
    path = f"/api/need-photos/{photo}.webp"
    shown = await stranger.request("GET", path)
    assert shown.headers["cache-control"] == "private, max-age=60"
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET status = 'suspended' WHERE user_id = %s", [owner.user_id])
    known = {"if-none-match": shown.headers["etag"]}
    assert (await stranger.request("GET", path, headers=known)).status_code == 404


async def _with_photos(owner: ApiUser, posted: dict[str, Any], photos: int) -> list[str]:
    """Add photos to a need and return the ids of all its photos."""
    for _ in range(photos):
        added = await owner.request("POST", f"/api/needs/{posted['id']}/photos", content=png(64, 48))
        assert added.status_code == 201, added.text
    return await _photos(owner, posted)


async def _photos(owner: ApiUser, posted: dict[str, Any]) -> list[str]:
    photo_paths = (await owner.get(f"/api/needs/{posted['id']}"))["need"]["photos"]
    return [str(path).removeprefix("/api/need-photos/").removesuffix(".webp") for path in photo_paths]


async def test_deleted_photo_keeps_order_of_others(create_user: CreateUser) -> None:
    owner, posted = await owner_with_need(create_user)
    first, second, third, fourth = await _with_photos(owner, posted, 4)
    path = f"/api/needs/{posted['id']}/photos"
    removed = await owner.request("DELETE", f"{path}/{second}")
    assert removed.status_code == 200
    assert len(removed.json()["data"]["need"]["photos"]) == 3
    assert (await owner.request("GET", f"/api/need-photos/{second}.webp")).status_code == 404
    assert (await owner.request("DELETE", f"{path}/{second}")).status_code == 404
    # A fourth photo fits again and comes last.
    *before, _added = await _with_photos(owner, posted, 1)
    assert before == [first, third, fourth]
    again = await asyncio.gather(*(owner.request("DELETE", f"{path}/{third}") for _ in range(4)))
    assert sorted(response.status_code for response in again) == [200, 404, 404, 404]
    assert len(await _photos(owner, posted)) == 3


async def test_concurrent_photo_changes_keep_positions_dense(create_user: CreateUser, database: Database) -> None:
    owner, posted = await owner_with_need(create_user)
    there = await _with_photos(owner, posted, 4)
    path = f"/api/needs/{posted['id']}/photos"
    removals = [owner.request("DELETE", f"{path}/{photo}") for photo in there[:3]]
    additions = [owner.request("POST", path, content=png(64, 48)) for _ in range(3)]
    removed, added = await asyncio.gather(asyncio.gather(*removals), asyncio.gather(*additions))
    assert [response.status_code for response in removed] == [200] * 3
    assert {response.status_code for response in added} <= {201, 422}  # 422 until a photo is deleted
    left = 1 + [response.status_code for response in added].count(201)
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT position FROM need_photos WHERE need_id = %s ORDER BY position"
        assert conn.execute(query, [posted["id"]]).fetchall() == [(place,) for place in range(left)]


async def test_photo_deletion_needs_owner_and_no_accepted_offer(create_user: CreateUser) -> None:
    owner, posted = await owner_with_need(create_user)
    angel = await create_user("Abel Angel")
    (photo,) = await _with_photos(owner, posted, 1)
    other = await owner.create_need()
    theirs = await angel.create_need()
    for user, need_id, photo_id in (
        (angel, posted["id"], photo),
        (angel, theirs["id"], photo),
        (owner, other["id"], photo),
        (owner, posted["id"], str(new_id())),
        (owner, str(new_id()), photo),
        (owner, posted["id"], "nonsense"),
    ):
        response = await user.request("DELETE", f"/api/needs/{need_id}/photos/{photo_id}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")
    offer = await angel.create_offer(posted)
    assert (await owner.accept_offer(posted, offer)).status_code == 200
    response = await owner.request("DELETE", f"/api/needs/{posted['id']}/photos/{photo}")
    assert (response.status_code, response.json()["error"]["code"]) == (409, "need_closed")
    assert await _photos(owner, posted) == [photo]
    # After withdrawal, the owner can still delete photos that authors of offers can see.
    (late,) = await _with_photos(owner, other, 1)
    assert (await owner.request("POST", f"/api/needs/{other['id']}/withdrawal")).status_code == 200
    assert (await owner.request("DELETE", f"/api/needs/{other['id']}/photos/{late}")).status_code == 200
