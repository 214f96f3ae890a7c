"""Photos on listings: added, ordered, described, removed; shown to everybody, or to nobody but their owner."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from porchlight.listings.pages import listing_head
from porchlight.listings.photos import PHOTOS
from tests.angels.conftest import Come
from tests.angels.people import Neighbour
from tests.support.databases import Database
from tests.tenants.test_pictures import png

ORIGIN = "https://porchlight.example"


def picture(width: int = 1800, height: int = 900) -> bytes:
    """A photo of a phone, which says where it was taken."""
    made = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "39.7392,-104.9847"
    Image.effect_noise((width, height), 60).convert("RGB").save(made, "JPEG", exif=exif, quality=90)
    return made.getvalue()


async def _offer(person: Neighbour, title: str = "Juggling") -> dict[str, Any]:
    answer = await person.call("POST", "/api/skills/offers", json={"title": title})
    assert answer.status_code == 201, answer.text
    return next(one for one in answer.json()["data"]["offers"] if one["title"] == title)


async def _add(person: Neighbour, offer: dict[str, Any], body: bytes | None = None) -> httpx.Response:
    return await person.call("POST", f"/api/skills/offers/{offer['id']}/photos", content=body or png(64, 48))


async def _photos(person: Neighbour, offer: dict[str, Any]) -> list[dict[str, Any]]:
    mine = await person.gets("/api/skills/mine")
    return list(next(one for one in mine["offers"] if one["id"] == offer["id"])["photos"])


async def test_a_photo_is_drawn_anew_and_everybody_sees_it(come: Come, web: httpx.AsyncClient) -> None:
    owner = await come("Ada")
    offer = await _offer(owner)
    sent = picture()
    assert len(sent) > 256 * 1024  # as phones make them: far more than any other body may have
    assert (await _add(owner, offer, sent)).status_code == 201
    page = (await web.get(f"/api/skills/listings/{offer['id']}")).json()["data"]
    (photo,) = page["photos"]
    assert (photo["width"], photo["height"], photo["alt"]) == (1600, 800, "")
    for path, size in ((photo["path"], (1600, 800)), (photo["smallPath"], (480, 240))):
        shown = await web.get(path)
        assert (shown.status_code, shown.headers["content-type"]) == (200, "image/webp")
        assert shown.headers["cache-control"] == "public, max-age=3600"
        with Image.open(io.BytesIO(shown.content)) as drawn:
            assert (drawn.format, drawn.size, dict(drawn.getexif())) == ("WEBP", size, {})


async def test_no_more_than_four_even_at_once(come: Come) -> None:
    owner = await come("Ada")
    offer = await _offer(owner)
    answers = await asyncio.gather(*(_add(owner, offer) for _ in range(PHOTOS + 3)))
    assert sorted(answer.status_code for answer in answers) == [201] * PHOTOS + [422] * 3
    assert len(await _photos(owner, offer)) == PHOTOS
    full = await _add(owner, offer)
    assert full.json()["error"]["fields"] == {"photo": "A listing has 4 photos at most."}


@pytest.mark.parametrize("body", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", b"\x00" * 40])
async def test_what_is_no_photo_is_refused(come: Come, body: bytes) -> None:
    owner = await come("Ada")
    offer = await _offer(owner)
    answer = await _add(owner, offer, body)
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["photo"])
    assert await _photos(owner, offer) == []


async def test_order_and_words_are_ones_own(come: Come) -> None:
    owner = await come("Ada")
    offer = await _offer(owner)
    for _ in range(3):
        await _add(owner, offer)
    first, second, third = await _photos(owner, offer)
    path = f"/api/skills/offers/{offer['id']}/photos"
    words = [{"id": third["id"], "alt": "Three balls"}, {"id": first["id"]}, {"id": second["id"], "alt": "Me"}]
    answer = await owner.call("PUT", path, json={"photos": words})
    assert answer.status_code == 200, answer.text
    now = await _photos(owner, offer)
    assert [(one["id"], one["alt"]) for one in now] == [
        (third["id"], "Three balls"), (first["id"], ""), (second["id"], "Me"),
    ]  # fmt: skip
    # Not all of them, one twice, one of somebody else: nothing changes.
    other = await come("Bob")
    others = await _offer(other)
    await _add(other, others)
    (foreign,) = await _photos(other, others)
    for wrong in ([first["id"]], [first["id"], first["id"], second["id"]], [first["id"], second["id"], foreign["id"]]):
        answer = await owner.call("PUT", path, json={"photos": [{"id": photo} for photo in wrong]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "photos_changed")
    for bad in ({"id": first["id"], "alt": "x" * 201}, {"id": first["id"], "alt": "two\nlines"}, {"id": 7}):
        assert (await owner.call("PUT", path, json={"photos": [bad]})).status_code == 422
    assert await _photos(owner, offer) == now
    # What is added later comes last, and what is removed is gone.
    assert (await owner.call("DELETE", f"{path}/{first['id']}")).status_code == 200
    assert (await _add(owner, offer)).status_code == 201
    left = await _photos(owner, offer)
    assert [one["id"] for one in left[:2]] == [third["id"], second["id"]]
    assert len(left) == 3
    assert (await owner.call("GET", first["path"])).status_code == 404


async def test_others_change_nothing(come: Come) -> None:
    owner, other = await come("Ada"), await come("Bob")
    offer = await _offer(owner)
    await _add(owner, offer)
    (photo,) = await _photos(owner, offer)
    path = f"/api/skills/offers/{offer['id']}/photos"
    assert (await _add(other, offer)).status_code == 404
    assert (await other.call("PUT", path, json={"photos": [{"id": photo["id"]}]})).status_code == 404
    assert (await other.call("DELETE", f"{path}/{photo['id']}")).status_code == 404
    mine = await _offer(other)
    assert (await other.call("DELETE", f"/api/skills/offers/{mine['id']}/photos/{photo['id']}")).status_code == 404
    assert await _photos(owner, offer) == [photo]


@pytest.mark.parametrize("by", ["its neighbor", "staff"])
async def test_photos_of_a_hidden_listing_are_its_owners_alone(
    come: Come, web: httpx.AsyncClient, database: Database, by: str
) -> None:
    owner, other = await come("Ada"), await come("Bob")
    offer = await _offer(owner)
    await _add(owner, offer)
    (photo,) = await _photos(owner, offer)
    with psycopg.connect(database.overseer_url) as conn:
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
        assert (await other.call("GET", path)).status_code == 404
        own = await owner.call("GET", path)
        assert (own.status_code, own.headers["cache-control"]) == (200, "private, no-store")


async def test_photos_stand_in_the_head_and_on_cards(come: Come, app: Porchlight, web: httpx.AsyncClient) -> None:
    owner = await come("Ada")
    offer = await _offer(owner, "Zorilla watching")
    plain = await listing_head(app.db, f"/listings/{offer['id']}", ORIGIN)
    assert plain is not None
    assert "og:image" not in plain.more
    assert 'name="twitter:card" content="summary" ' in plain.more
    await _add(owner, offer)
    (photo,) = await _photos(owner, offer)
    words = {"photos": [{"id": photo["id"], "alt": 'A "zorilla" & me'}]}
    await owner.call("PUT", f"/api/skills/offers/{offer['id']}/photos", json=words)
    head = await listing_head(app.db, f"/listings/{offer['id']}", ORIGIN)
    assert head is not None
    assert f'<meta property="og:image" content="{ORIGIN}{photo["path"]}" />' in head.more
    assert '<meta property="og:image:alt" content="A &quot;zorilla&quot; &amp; me" />' in head.more
    assert 'content="summary_large_image"' in head.more
    island = json.loads(head.more.split('<script type="application/ld+json">')[1].split("</script>")[0])
    (image,) = island["image"]
    assert (image["url"], image["width"], image["caption"]) == (ORIGIN + photo["path"], 64, 'A "zorilla" & me')
    found = (await web.get("/api/search", params={"q": "zorilla watching"})).json()["data"]["hits"]
    (hit,) = [one for one in found if one["id"] == offer["id"]]
    assert (hit["picture"], hit["pictureAlt"]) == (photo["smallPath"], 'A "zorilla" & me')


async def test_photos_are_in_the_export_and_go_with_their_listing_and_their_account(
    come: Come, database: Database
) -> None:
    owner = await come("Ada")
    kept, given_up = await _offer(owner), await _offer(owner, "Unicycling")
    for offer in (kept, given_up):
        await _add(owner, offer)
    photo, other = (await _photos(owner, kept))[0], (await _photos(owner, given_up))[0]
    archive = await owner.call("GET", "/api/auth/export")
    with zipfile.ZipFile(io.BytesIO(archive.content)) as files:
        with Image.open(files.open(f"listing_photos/{photo['id']}.webp")) as drawn:
            assert drawn.size == (64, 48)
        rows = json.loads(files.read("listing_photos.json"))
        assert {row["id"] for row in rows} == {photo["id"], other["id"]}
        assert all("small" not in row and "body" not in row for row in rows)
    assert (await owner.call("DELETE", f"/api/skills/offers/{given_up['id']}")).status_code == 200
    assert (await owner.call("GET", other["path"])).status_code == 404
    assert (await owner.call("DELETE", "/api/auth/account")).status_code == 200
    with psycopg.connect(database.overseer_url) as conn:
        left = conn.execute("SELECT count(*) FROM listing_photos WHERE user_id = %s", [owner.user_id]).fetchone()
    assert left == (0,)
