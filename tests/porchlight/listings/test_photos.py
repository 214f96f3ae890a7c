"""Photos of listings: add, order, describe, delete; visible to all users or only to their owner."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zipfile
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from porchlight.features.listings.page_meta import listing_head
from porchlight.features.listings.photos import MAX_PHOTOS
from tests.fixtures.databases import Database
from tests.fixtures.images import png
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.named_users import CreateUser
from tests.porchlight.plans.grants import grant_plan

ORIGIN = "https://porchlight.example"


def picture(width: int = 1800, height: int = 900) -> bytes:
    """Return a photo with a GPS note in its EXIF data, as phones write it."""
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "39.7392,-104.9847"
    Image.effect_noise((width, height), 60).convert("RGB").save(buffer, "JPEG", exif=exif, quality=90)
    return buffer.getvalue()


async def _offer(user: ApiUser, title: str = "Juggling") -> dict[str, Any]:
    response = await user.request("POST", "/api/skills/offers", json={"title": title})
    assert response.status_code == 201, response.text
    return next(one for one in response.json()["data"]["offers"] if one["title"] == title)


async def _add(user: ApiUser, offer: dict[str, Any], body: bytes | None = None) -> httpx.Response:
    return await user.request("POST", f"/api/skills/offers/{offer['id']}/photos", content=body or png(64, 48))


async def _photos(user: ApiUser, offer: dict[str, Any]) -> list[dict[str, Any]]:
    mine = await user.get("/api/skills/mine")
    return list(next(one for one in mine["offers"] if one["id"] == offer["id"])["photos"])


async def test_photo_is_reencoded_and_public(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    owner = await create_user("Ada")
    offer = await _offer(owner)
    photo_bytes = picture()
    assert len(photo_bytes) > 256 * 1024  # larger than the body limit of other routes
    assert (await _add(owner, offer, photo_bytes)).status_code == 201
    page = (await web.get(f"/api/skills/listings/{offer['id']}")).json()["data"]
    (photo,) = page["photos"]
    assert (photo["width"], photo["height"], photo["alt"]) == (1600, 800, "")
    for path, size in ((photo["path"], (1600, 800)), (photo["smallPath"], (480, 240))):
        response = await web.get(path)
        assert (response.status_code, response.headers["content-type"]) == (200, "image/webp")
        assert response.headers["cache-control"] == "private, max-age=60"
        with Image.open(io.BytesIO(response.content)) as image:
            assert (image.format, image.size, dict(image.getexif())) == ("WEBP", size, {})


async def test_photo_limit_holds_for_concurrent_uploads(create_user: CreateUser, database: Database) -> None:
    owner = await create_user("Ada")
    grant_plan(database, owner.user_id)
    offer = await _offer(owner)
    responses = await asyncio.gather(*(_add(owner, offer) for _ in range(MAX_PHOTOS + 3)))
    assert sorted(response.status_code for response in responses) == [201] * MAX_PHOTOS + [422] * 3
    assert len(await _photos(owner, offer)) == MAX_PHOTOS
    full = await _add(owner, offer)
    assert full.json()["error"]["fields"] == {"photo": "A listing can have up to 4 photos."}


@pytest.mark.parametrize("body", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", b"\x00" * 40])
async def test_invalid_photo_is_rejected(create_user: CreateUser, body: bytes) -> None:
    owner = await create_user("Ada")
    offer = await _offer(owner)
    response = await _add(owner, offer, body)
    assert (response.status_code, list(response.json()["error"]["fields"])) == (422, ["photo"])
    assert await _photos(owner, offer) == []


async def test_photo_order_and_alt_are_updated(create_user: CreateUser, database: Database) -> None:
    owner = await create_user("Ada")
    grant_plan(database, owner.user_id)
    offer = await _offer(owner)
    for _ in range(3):
        await _add(owner, offer)
    first, second, third = await _photos(owner, offer)
    path = f"/api/skills/offers/{offer['id']}/photos"
    words = [{"id": third["id"], "alt": "Three balls"}, {"id": first["id"]}, {"id": second["id"], "alt": "Me"}]
    response = await owner.request("PUT", path, json={"photos": words})
    assert response.status_code == 200, response.text
    now = await _photos(owner, offer)
    assert [(one["id"], one["alt"]) for one in now] == [
        (third["id"], "Three balls"), (first["id"], ""), (second["id"], "Me"),
    ]  # fmt: skip
    # A missing photo, a duplicate, and another user's photo are rejected.
    other = await create_user("Bob")
    others = await _offer(other)
    await _add(other, others)
    (foreign,) = await _photos(other, others)
    for wrong in ([first["id"]], [first["id"], first["id"], second["id"]], [first["id"], second["id"], foreign["id"]]):
        response = await owner.request("PUT", path, json={"photos": [{"id": photo} for photo in wrong]})
        assert (response.status_code, response.json()["error"]["code"]) == (409, "photos_changed")
    for bad in ({"id": first["id"], "alt": "x" * 201}, {"id": first["id"], "alt": "two\nlines"}, {"id": 7}):
        assert (await owner.request("PUT", path, json={"photos": [bad]})).status_code == 422
    assert await _photos(owner, offer) == now
    # A new photo comes last.
    assert (await owner.request("DELETE", f"{path}/{first['id']}")).status_code == 200
    assert (await _add(owner, offer)).status_code == 201
    left = await _photos(owner, offer)
    assert [one["id"] for one in left[:2]] == [third["id"], second["id"]]
    assert len(left) == 3
    assert (await owner.request("GET", first["path"])).status_code == 404


async def test_other_users_cannot_change_photos(create_user: CreateUser) -> None:
    owner, other = await create_user("Ada"), await create_user("Bob")
    offer = await _offer(owner)
    await _add(owner, offer)
    (photo,) = await _photos(owner, offer)
    path = f"/api/skills/offers/{offer['id']}/photos"
    assert (await _add(other, offer)).status_code == 404
    assert (await other.request("PUT", path, json={"photos": [{"id": photo["id"]}]})).status_code == 404
    assert (await other.request("DELETE", f"{path}/{photo['id']}")).status_code == 404
    mine = await _offer(other)
    assert (await other.request("DELETE", f"/api/skills/offers/{mine['id']}/photos/{photo['id']}")).status_code == 404
    assert await _photos(owner, offer) == [photo]


@pytest.mark.parametrize("by", ["its neighbor", "staff"])
async def test_photos_of_hidden_listing_are_visible_to_owner_only(
    create_user: CreateUser, web: httpx.AsyncClient, database: Database, by: str
) -> None:
    owner, other = await create_user("Ada"), await create_user("Bob")
    offer = await _offer(owner)
    await _add(owner, offer)
    (photo,) = await _photos(owner, offer)
    with psycopg.connect(database.service_url) as conn:
        if by == "staff":
            conn.execute(
                "INSERT INTO hidden_listings (owner_id, phrase_id, reason)"
                " SELECT user_id, phrase_id, 'spam' FROM skill_offers WHERE id = %s",
                [offer["id"]],
            )
            conn.execute("UPDATE skill_offers SET visible = false WHERE id = %s", [offer["id"]])
        else:
            conn.execute("UPDATE profiles SET shows_skills = false WHERE user_id = %s", [owner.user_id])
    for path in (photo["path"], photo["smallPath"]):
        assert (await web.get(path)).status_code == 404
        assert (await other.request("GET", path)).status_code == 404
        own = await owner.request("GET", path)
        assert (own.status_code, own.headers["cache-control"]) == (200, "private, max-age=60")
        known = {"if-none-match": own.headers["etag"]}
        assert (await owner.request("GET", path, headers=known)).status_code == 304
        assert (await web.get(path, headers=known)).status_code == 404


async def test_photos_are_in_meta_tags_and_on_cards(
    create_user: CreateUser, app: Porchlight, web: httpx.AsyncClient
) -> None:
    owner = await create_user("Ada")
    offer = await _offer(owner, "Zorilla watching")
    plain = await listing_head(app.db, f"/listings/{offer['id']}", ORIGIN, has_profiles=True)
    assert plain is not None
    assert re.search(f'<meta property="og:image" content="{ORIGIN}/social/listings/[^/"]+[.]png" />', plain.more)
    await _add(owner, offer)
    (photo,) = await _photos(owner, offer)
    words = {"photos": [{"id": photo["id"], "alt": 'A "zorilla" & me'}]}
    await owner.request("PUT", f"/api/skills/offers/{offer['id']}/photos", json=words)
    head = await listing_head(app.db, f"/listings/{offer['id']}", ORIGIN, has_profiles=True)
    assert head is not None
    assert f'<meta property="og:image" content="{ORIGIN}/social/listings/{offer["id"]}.jpg" />' in head.more
    assert '<meta property="og:image:alt" content="A &quot;zorilla&quot; &amp; me" />' in head.more
    assert 'content="summary_large_image"' in head.more
    island = json.loads(head.more.split('<script type="application/ld+json">')[1].split("</script>")[0])
    (image,) = island["image"]
    assert (image["url"], image["width"], image["caption"]) == (ORIGIN + photo["path"], 64, 'A "zorilla" & me')
    hits = (await web.get("/api/search", params={"q": "zorilla watching"})).json()["data"]["hits"]
    (hit,) = [one for one in hits if one["id"] == offer["id"]]
    assert (hit["picture"], hit["pictureAlt"]) == (photo["smallPath"], 'A "zorilla" & me')


async def test_photos_are_exported_and_deleted_with_account(create_user: CreateUser, database: Database) -> None:
    owner = await create_user("Ada")
    grant_plan(database, owner.user_id)
    kept_offer, deleted_offer = await _offer(owner), await _offer(owner, "Unicycling")
    for offer in (kept_offer, deleted_offer):
        await _add(owner, offer)
    photo, other = (await _photos(owner, kept_offer))[0], (await _photos(owner, deleted_offer))[0]
    archive = await owner.request("GET", "/api/auth/export")
    with zipfile.ZipFile(io.BytesIO(archive.content)) as files:
        with Image.open(files.open(f"listing_photos/{photo['id']}.webp")) as image:
            assert image.size == (64, 48)
        rows = json.loads(files.read("listing_photos.json"))
        assert {row["id"] for row in rows} == {photo["id"], other["id"]}
        assert all("small" not in row and "body" not in row for row in rows)
    assert (await owner.request("DELETE", f"/api/skills/offers/{deleted_offer['id']}")).status_code == 200
    assert (await owner.request("GET", other["path"])).status_code == 404
    assert (await owner.request("DELETE", "/api/auth/account")).status_code == 200
    with psycopg.connect(database.service_url) as conn:
        left = conn.execute("SELECT count(*) FROM listing_photos WHERE user_id = %s", [owner.user_id]).fetchone()
    assert left == (0,)
