"""Demo pictures: portraits, covers of posts and galleries of listings, stored as people's own uploads are."""

from __future__ import annotations

import asyncio
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


@dataclass(frozen=True, slots=True)
class Cover:
    """The drawn cover of a post."""

    slug: str
    alt: str
    file: Path


def portrait_file(neighbor: Neighbor) -> Path:
    """Return the file of a person's portrait, named after their email address."""
    return PORTRAITS_DIR / f"{neighbor.email.partition('@')[0].replace('.', '-')}.webp"


def covers(label: str) -> Iterator[Cover]:
    """Yield the covers of a guru's posts."""
    for path in sorted((CONTENT_DIR / label / "posts").glob("*.md")):
        head, _ = front_matter(path)
        if "cover_alt" in head:
            yield Cover(head["slug"], head["cover_alt"], CONTENT_DIR / label / "covers" / f"{head['slug']}.webp")


async def load_all(settings: Settings) -> PictureCounts:
    """Add the pictures that are missing: a person's own photo is never replaced."""
    turn = asyncio.Semaphore(MAX_CONCURRENT_PEOPLE)
    async with Database(settings.database_url) as db:

        async def load(neighbor: Neighbor) -> PictureCounts:
            async with turn:
                return await _load(db, neighbor)

        counts = await asyncio.gather(*(load(neighbor) for neighbor in load_neighbors()))
    return PictureCounts(sum(count.portraits for count in counts), sum(count.covers for count in counts))


async def _load(db: Database, neighbor: Neighbor) -> PictureCounts:
    portrait_count, cover_count = int(await _load_portrait(db, neighbor)), 0
    if neighbor.guru:
        for cover in covers(neighbor.guru):
            cover_count += await _load_cover(db, demo_id(neighbor.guru), neighbor.guru, cover)
        await _load_gallery(db, neighbor, neighbor.guru)
    return PictureCounts(portrait_count, cover_count)


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


async def _load_gallery(db: Database, neighbor: Neighbor, label: str) -> None:
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
