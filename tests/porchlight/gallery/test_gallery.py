"""The guru's pictures: stored with their images, shown on the guru's site alone, saved once from two tabs."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from sites.gallery.actions import MAX_PER_PLACE, MAX_PICTURES
from tests.porchlight.app_client import send_raw, wait_until
from tests.porchlight.owner import GuruOwner

HERO_WIDTH = 1400


async def _upload(owner: GuruOwner, size: tuple[int, int] = (HERO_WIDTH, 900)) -> str:
    body = io.BytesIO()
    Image.new("RGB", size, "#884422").save(body, "JPEG")
    headers = {"content-type": "image/jpeg"}
    created = await owner.call("POST", "/images", expect=201, content=body.getvalue(), headers=headers)
    return str(created["id"])


def _picture(image_id: str, place: str = "gallery", **changes: Any) -> dict[str, Any]:
    return {"place": place, "imageId": image_id, "alt": "Bread on a board", "focusX": 20, "focusY": 80} | changes


async def _save(owner: GuruOwner, *pictures: dict[str, Any], expect: int = 200) -> Any:
    revision = (await owner.call("GET", "/gallery"))["revision"]
    return await owner.call("PUT", "/gallery", {"revision": revision, "pictures": pictures}, expect=expect)


def _hero_alt(home: dict[str, Any]) -> str | None:
    hero = home["gallery"]["hero"]
    return hero["alt"] if hero else None


async def _home(app: Porchlight, owner: GuruOwner, *, hero: str | None) -> dict[str, Any]:
    """Return the site's home page once its hero picture has the description: the cache hears of a change later."""
    path = f"/api/gurus/{owner.guru.label}/home".encode()
    found: list[dict[str, Any]] = []

    async def shows_hero() -> bool:
        found.append(json.loads((await send_raw(app, path, owner.guru.host)).body))
        return _hero_alt(found[-1]) == hero

    await wait_until("the home page shows the hero picture", shows_hero)
    return found[-1]


@pytest.fixture
async def image(rosa: GuruOwner) -> str:
    return await _upload(rosa)


async def test_gallery_is_shown_on_own_site(app: Porchlight, rosa: GuruOwner, theo: GuruOwner, image: str) -> None:
    service = str(rosa.guru.services[0])
    await _save(
        rosa,
        _picture(image, "hero", alt="A kitchen"),
        _picture(image, alt="First"),
        _picture(image, "service", serviceId=service, alt="A lesson"),
        _picture(image, alt="Second"),
    )
    home = await _home(app, rosa, hero="A kitchen")
    hero = home["gallery"]["hero"]
    assert (hero["alt"], hero["focusX"], hero["focusY"], hero["width"]) == ("A kitchen", 20, 80, HERO_WIDTH)
    assert hero["preview"] == "842" * 12
    assert [picture["alt"] for picture in home["gallery"]["pictures"]] == ["First", "Second"]
    shown = {one["id"]: [picture["alt"] for picture in one["pictures"]] for one in home["services"]}
    assert shown.pop(service) == ["A lesson"]
    assert not any(shown.values())
    assert "First" not in json.dumps(await _home(app, theo, hero=None))


async def test_each_size_of_hero_is_served(app: Porchlight, rosa: GuruOwner, image: str) -> None:
    await _save(rosa, _picture(image, "hero", alt="In all sizes"))
    hero = (await _home(app, rosa, hero="In all sizes"))["gallery"]["hero"]
    sizes = [source.split(" ") for source in hero["srcset"].split(", ")]
    assert [width for _, width in sizes] == ["320w", "480w", "640w", "960w", "1280w"]
    for path, width in sizes:
        answer = await send_raw(app, path.encode(), rosa.guru.host)
        with Image.open(io.BytesIO(answer.body)) as opened:
            assert (answer.header("content-type"), f"{opened.width}w") == ("image/avif", width)


async def test_small_image_is_not_enlarged(app: Porchlight, rosa: GuruOwner) -> None:
    small = await _upload(rosa, (400, 200))
    await _save(rosa, _picture(small, "hero", alt="Small"))
    hero = (await _home(app, rosa, hero="Small"))["gallery"]["hero"]
    assert hero["srcset"] == f"/images/{small}-320.avif 320w, /images/{small}-480.avif 400w"
    answer = await send_raw(app, f"/images/{small}-480.avif".encode(), rosa.guru.host)
    with Image.open(io.BytesIO(answer.body)) as opened:
        assert opened.size == (400, 200)


async def test_other_sizes_are_not_served(app: Porchlight, rosa: GuruOwner, image: str) -> None:
    for name in ("-1600.avif", "-1024.avif", "-960.webp", ".avif", "-0960.avif", "-960.jpg"):
        answer = await send_raw(app, f"/images/{image}{name}".encode(), rosa.guru.host)
        assert answer.status != 200, name


async def test_two_tabs_saving_at_once_keep_one(rosa: GuruOwner, image: str) -> None:
    await _save(rosa)
    revision = (await rosa.call("GET", "/gallery"))["revision"]
    bodies = [{"revision": revision, "pictures": [_picture(image, alt=f"Tab {tab}")]} for tab in range(4)]
    answers = await asyncio.gather(*(rosa.web.put("/api/guru/gallery", json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    (kept,) = (await rosa.call("GET", "/gallery"))["pictures"]
    (winner,) = (answer for answer in answers if answer.status_code == 200)
    assert winner.json()["data"]["pictures"][0]["alt"] == kept["alt"]


async def test_deleted_image_leaves_gallery_and_site(app: Porchlight, rosa: GuruOwner, image: str) -> None:
    await _save(rosa, _picture(image, "hero"), _picture(await _upload(rosa), alt="Stays"))
    await _home(app, rosa, hero="Bread on a board")
    await rosa.call("DELETE", f"/images/{image}")
    home = await _home(app, rosa, hero=None)
    assert [picture["alt"] for picture in home["gallery"]["pictures"]] == ["Stays"]


async def test_pictures_of_deleted_service_are_removed(rosa: GuruOwner, image: str) -> None:
    service = str(rosa.guru.services[-1])
    await _save(rosa, _picture(image, "service", serviceId=service), _picture(image))
    await rosa.call("DELETE", f"/services/{service}")
    assert [picture["place"] for picture in (await rosa.call("GET", "/gallery"))["pictures"]] == ["gallery"]


async def test_foreign_image_and_service_are_refused(rosa: GuruOwner, theo: GuruOwner, image: str) -> None:
    foreign = await _upload(theo)
    service = {"serviceId": str(theo.guru.services[0])}
    for refused in (_picture(foreign), _picture(image, "service", **service), _picture("no-id")):
        assert "pictures" in (await _save(rosa, _picture(image), refused, expect=422))["fields"]


@pytest.mark.parametrize("place", ["hero", "gallery", "service"])
async def test_place_refuses_more_than_its_limit(rosa: GuruOwner, image: str, place: Any) -> None:
    service = {"serviceId": str(rosa.guru.services[0])} if place == "service" else {}
    most = [_picture(image, place, **service)] * MAX_PER_PLACE[place]
    await _save(rosa, *most)
    error = await _save(rosa, *most, most[0], expect=422)
    assert "pictures" in error["fields"]
    assert len((await rosa.call("GET", "/gallery"))["pictures"]) == len(most)


async def test_gallery_refuses_more_than_all_pictures(rosa: GuruOwner, image: str) -> None:
    error = await _save(rosa, *[_picture(image)] * (MAX_PICTURES + 1), expect=422)
    assert "pictures" in error["fields"]


@pytest.mark.parametrize(
    "change",
    [{"alt": ""}, {"alt": " \n"}, {"focusX": 101}, {"focusY": -1}, {"focusX": 1.5}, {"place": "footer"},
     {"place": "service"}, {"serviceId": "0198f000-0000-7000-8000-000000000000"}],
)  # fmt: skip
async def test_invalid_picture_is_refused(rosa: GuruOwner, image: str, change: dict[str, Any]) -> None:
    error = await _save(rosa, _picture(image) | change, expect=422)
    assert error["fields"]
    assert all(field.startswith("pictures") for field in error["fields"])


async def test_picture_of_hidden_service_is_not_named(
    app: Porchlight, rosa: GuruOwner, image: str, service_db: psycopg.Connection[Any]
) -> None:
    service = rosa.guru.services[0]
    hidden = _picture(image, "service", serviceId=str(service), alt="Not to be seen")
    service_db.execute(
        "UPDATE services SET over_limit = true WHERE tenant_id = %s AND id = %s", [rosa.guru.id, service]
    )
    try:
        await _save(rosa, hidden, _picture(image, "hero", alt="To be seen"))
        assert "Not to be seen" not in json.dumps(await _home(app, rosa, hero="To be seen"))
    finally:
        service_db.execute(
            "UPDATE services SET over_limit = false WHERE tenant_id = %s AND id = %s", [rosa.guru.id, service]
        )
