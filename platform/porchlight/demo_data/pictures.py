"""Demo pictures: portraits, covers of posts, photographs of sites and listings, stored as people's own uploads."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.demo_data.gurus import CONTENT_DIR, demo_id, front_matter
from porchlight.demo_data.neighbors import Neighbor, load_neighbors, neighbor_id
from porchlight.features.listings import photos
from porchlight.features.listings.models import ListingPhoto, SkillOffer
from porchlight.features.listings.schemas import PhotoPayload
from porchlight.features.onboarding.photos import create_photo
from porchlight.features.profiles import actions as profiles
from porchlight.features.profiles.models import Profile
from porchlight.settings.environment import Settings
from sites.gallery.actions import Picture, own_pictures, replace_pictures, revision
from sites.gallery.models import Place
from sites.image_paths import image_path
from sites.images.actions import create_image, encode_image
from sites.posts.actions import update_post
from sites.posts.drafts import draft
from sites.posts.render import render_post
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.tenancy.models import Guru

MAX_CONCURRENT_PEOPLE = 4  # images are encoded on all cores
PORTRAITS_DIR = Path(__file__).parent / "portraits"


class PictureCounts(NamedTuple):
    """The number of pictures that were added."""

    portraits: int
    covers: int
    photos: int


@dataclass(frozen=True, slots=True)
class Cover:
    """The drawn cover of a post."""

    slug: str
    alt: str
    file: Path


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph for a guru's site, from `photos.toml`: `service` is the name of its service, or ""."""

    file: Path
    alt: str
    place: Place
    service: str
    focus: tuple[int, int]


def portrait_file(neighbor: Neighbor) -> Path:
    """Return the file of a person's portrait, named after their email address."""
    return PORTRAITS_DIR / f"{neighbor.email.partition('@')[0].replace('.', '-')}.webp"


def covers(label: str) -> Iterator[Cover]:
    """Yield the covers of a guru's posts."""
    for path in sorted((CONTENT_DIR / label / "posts").glob("*.md")):
        head, _ = front_matter(path)
        if "cover_alt" in head:
            yield Cover(head["slug"], head["cover_alt"], CONTENT_DIR / label / "covers" / f"{head['slug']}.webp")


def site_photos(label: str) -> Iterator[Photo]:
    """Yield the photographs of a guru's site, in order. Their sources are in content/PHOTOS.md."""
    folder = CONTENT_DIR / label / "photos"
    if not (listing := folder / "photos.toml").is_file():
        return
    for photo in tomllib.loads(listing.read_text(encoding="utf-8"))["photos"]:
        place, _, service = photo["place"].partition(":")
        x, y = photo["focus"]
        yield Photo(folder / photo["file"], photo["alt"], place, service, (x, y))


async def load_all(settings: Settings) -> PictureCounts:
    """Add the pictures that are missing: a person's own photo is never replaced."""
    turn = asyncio.Semaphore(MAX_CONCURRENT_PEOPLE)
    async with Database(settings.database_url) as db:

        async def load(neighbor: Neighbor) -> PictureCounts:
            async with turn:
                return await _load(db, neighbor)

        counts = await asyncio.gather(*(load(neighbor) for neighbor in load_neighbors()))
    return PictureCounts(*(sum(kind) for kind in zip(*counts, strict=True)))


async def _load(db: Database, neighbor: Neighbor) -> PictureCounts:
    portrait_count, cover_count, photo_count = int(await _load_portrait(db, neighbor)), 0, 0
    if neighbor.guru:
        for cover in covers(neighbor.guru):
            cover_count += await _load_cover(db, demo_id(neighbor.guru), neighbor.guru, cover)
        photo_count = await _load_site_photos(db, demo_id(neighbor.guru), neighbor.guru)
        await _load_listing_photos(db, neighbor, neighbor.guru)
    return PictureCounts(portrait_count, cover_count, photo_count)


async def _load_portrait(db: Database, neighbor: Neighbor) -> bool:
    user_id = neighbor_id(neighbor.email)
    async with unit_of_work(db, user_id=user_id) as session:
        if await session.scalar(select(Profile.photo_id).where(Profile.user_id == user_id)) is not None:
            return False
    photo = await profiles.encode_photo(portrait_file(neighbor).read_bytes(), user_id)
    async with unit_of_work(db, user_id=user_id) as session:
        await profiles.update_photo(session, user_id, photo)
    if neighbor.guru:
        async with unit_of_work(db, user_id=user_id) as session:
            url = await create_photo(session, user_id, photo)
        await _show_on_site(db, demo_id(neighbor.guru), url)
    return True


async def _show_on_site(db: Database, tenant_id: UUID, photo_url: str) -> None:
    """Set the photo of a guru's site, as the wizard does for an uploaded photo."""
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        await session.execute(update(Guru).where(Guru.id == tenant_id).values(photo_url=photo_url))


async def _load_cover(db: Database, tenant_id: UUID, label: str, cover: Cover) -> bool:
    """Begin a post with its cover, unless it has been edited."""
    post_id = demo_id(label, "post", cover.slug)
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        post = await draft(session, tenant_id, post_id)
    if post.revision > 0:
        return False
    encoded = await encode_image(cover.file.read_bytes(), tenant_id)
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        path = image_path((await create_image(session, tenant_id, encoded)).id)
        content = replace(post.saved, content=f"![{cover.alt}]({path})\n\n{post.saved.content}")
        await update_post(
            session, tenant_id, post_id, content, await render_post(content), revision=0, status="published",
            published_at=post.published_at,
        )  # fmt: skip
    return True


async def _load_site_photos(db: Database, tenant_id: UUID, label: str) -> int:
    """Show the photographs on the guru's site, unless it shows pictures already."""
    photos = list(site_photos(label))
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        if not photos or await own_pictures(session, tenant_id):
            return 0
    encoded = [await encode_image(photo.file.read_bytes(), tenant_id) for photo in photos]
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        pictures = [
            Picture(
                place=photo.place,
                service_id=demo_id(label, "service", photo.service) if photo.service else None,
                image_id=(await create_image(session, tenant_id, image)).id,
                alt=photo.alt,
                focus_x=photo.focus[0],
                focus_y=photo.focus[1],
            )
            for photo, image in zip(photos, encoded, strict=True)
        ]
        services = {picture.service_id for picture in pictures if picture.service_id is not None}
        await replace_pictures(session, tenant_id, pictures, services=services, revision_before=revision([]))
    return len(pictures)


async def _load_listing_photos(db: Database, neighbor: Neighbor, label: str) -> None:
    """Show the covers in the listing of the guru's first skill, unless it has photos."""
    user_id = neighbor_id(neighbor.email)
    async with unit_of_work(db, user_id=user_id) as session:
        offer_id = await _listing_without_photos(session, user_id, neighbor.offered[0][0])
    if offer_id is None:
        return
    gallery = list(covers(label))
    encoded = [await photos.encode_photo(cover.file.read_bytes(), user_id) for cover in gallery]
    async with unit_of_work(db, user_id=user_id) as session:
        for image, thumbnail in encoded:
            await photos.add_photo(session, user_id, offer_id, image, thumbnail)
        stored = select(ListingPhoto.id).where(ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id)
        ids = await session.scalars(stored.order_by(ListingPhoto.position))
        texts = [PhotoPayload(id=str(photo_id), alt=cover.alt) for photo_id, cover in zip(ids, gallery, strict=True)]
        await photos.update_photos(session, user_id, offer_id, texts)


async def _listing_without_photos(session: AsyncSession, user_id: UUID, title: str) -> UUID | None:
    found: UUID | None = await session.scalar(
        select(SkillOffer.id).where(
            SkillOffer.user_id == user_id,
            SkillOffer.title == title,
            ~select(ListingPhoto.id)
            .where(ListingPhoto.user_id == user_id, ListingPhoto.offer_id == SkillOffer.id)
            .exists(),
        )
    )
    return found
