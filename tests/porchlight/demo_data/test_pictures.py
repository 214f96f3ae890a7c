"""Demo pictures: every portrait, cover and gallery answers as an image, and loading twice adds nothing."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any
from uuid import UUID

import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from porchlight.demo_data import gurus, neighbors, pictures, plans
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, claims, signer
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import BASE_HOST, create_settings, http_client, run_app, send_raw
from tests.porchlight.matches.factories import embedding_model, run_profile_jobs

__all__ = ["certificates", "signer"]
COVERS_PER_GURU = 3  # the featured posts
MAYA = "maya.lindqvist@example.com"


@pytest.fixture(scope="module")
def loaded(database: Database) -> pictures.PictureCounts:
    """The demo data of this module, and the number of its pictures."""
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    plans.load_all(database.service_url)
    return asyncio.run(pictures.load_all(create_settings(database)))


async def _size(app: Porchlight, host: str, path: str) -> tuple[int, int]:
    """Return the size in pixels of an image that the app serves."""
    response = await send_raw(app, path.encode(), host)
    assert (response.status, response.header("content-type")) == (200, "image/webp"), path
    with Image.open(io.BytesIO(response.body)) as image:
        return image.size


async def test_demo_gurus_have_portrait_and_covers(database: Database, loaded: pictures.PictureCounts) -> None:
    labels = gurus.labels()
    photos = sum(len(list(pictures.site_photos(label))) for label in labels)
    assert loaded == (len(neighbors.load_neighbors()), COVERS_PER_GURU * len(labels), photos)
    assert await pictures.load_all(create_settings(database)) == (0, 0, 0)
    async with run_app(database) as app:
        for label in labels:
            host = f"{label}.{BASE_HOST}"
            site = json.loads((await send_raw(app, f"/api/gurus/{label}/home".encode(), host)).body)
            assert await _size(app, host, site["guru"]["photoUrl"]) == (512, 512)
            covers = [post["cover"] for post in site["featuredPosts"]]
            assert len({cover["path"] for cover in covers}) == COVERS_PER_GURU
            for cover in covers:
                assert await _size(app, host, cover["path"]) == (960, 540)
                assert await _size(app, host, cover["thumbnail"]) == (640, 360)
                assert len(cover["alt"]) >= 20


@pytest.mark.usefixtures("loaded")
async def test_demo_photos_are_shown_where_they_belong(database: Database) -> None:
    async with run_app(database) as app:
        for label in gurus.labels():
            site = json.loads((await send_raw(app, f"/api/gurus/{label}/home".encode(), f"{label}.{BASE_HOST}")).body)
            shown = [("hero", picture) for picture in [site["gallery"]["hero"]] if picture]
            shown += [("gallery", picture) for picture in site["gallery"]["pictures"]]
            shown += [("service", picture) for service in site["services"] for picture in service["pictures"]]
            expected = [(photo.place, photo.alt) for photo in pictures.site_photos(label)]
            assert sorted((place, picture["alt"]) for place, picture in shown) == sorted(expected)
            for _, picture in shown:
                assert await _size(app, f"{label}.{BASE_HOST}", picture["path"]) == (
                    picture["width"], picture["height"],
                )  # fmt: skip


def test_demo_picture_files_are_all_used() -> None:
    people = neighbors.load_neighbors()
    assert {pictures.portrait_file(neighbor) for neighbor in people} == set(pictures.PORTRAITS_DIR.iterdir())
    files = {cover.file for label in gurus.labels() for cover in pictures.covers(label)}
    drawings = {file.with_suffix(".svg") for file in files}
    assert files | drawings == set(gurus.CONTENT_DIR.glob("*/covers/*"))


@pytest.mark.usefixtures("loaded")
async def test_demo_portraits_show_wherever_people_do(
    database: Database, certificates: CertificateServer, signer: Signer
) -> None:
    people = [neighbors.neighbor_id(email) for email in (MAYA, "luis.herrera@example.com")]
    await run_profile_jobs(database, people, embedding_model())
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT firebase_uid, user_id FROM users WHERE email = %s", [MAYA]).fetchone()
    assert row is not None
    token = signer.token(claims(row[0], email=MAYA))
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
    async with run_app(database, **settings) as app, http_client(app, BASE_HOST) as web:
        maya = ApiUser(web, "Maya Lindqvist", "maya-lindqvist", UUID(str(row[1])), MAYA, token)
        matches = (await maya.get(f"/api/skills/matches/{maya.user_id}"))["matches"]
        hits = (await maya.get("/api/search", q="everyday home cooking"))["hits"]
        listing = next(hit for hit in hits if hit["kind"] == "offer")
        profile = await maya.get("/api/users/theo-barnes")
        teacher = (await maya.get(f"/api/skills/listings/{listing['id']}"))["teacher"]
        shown: list[dict[str, Any]] = [*(match["user"] for match in matches), listing, profile, teacher]
        assert matches
        for person in shown:
            assert await _size(app, BASE_HOST, person["photoURL"]) == (512, 512)
        assert len((await maya.get(f"/api/skills/listings/{listing['id']}"))["photos"]) == COVERS_PER_GURU
        assert await _size(app, BASE_HOST, listing["picture"]) == (480, 270)
