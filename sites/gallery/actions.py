"""Actions on the pictures of a guru's site. Each runs in the unit of work of the tenant."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import cast
from uuid import UUID

from sqlalchemy import delete, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from sites.gallery.models import GalleryPicture, Place
from sites.images.models import SiteImage
from tenants.db.counted_limits import lock_count
from tenants.kit.errors import Conflict, ValidationFailed
from tenants.kit.ids import new_id

MAX_PER_PLACE: dict[Place, int] = {"hero": 1, "gallery": 12, "service": 6}  # for services, of each
MAX_PICTURES = 96  # of a site: more fit into no request (tenants.http.json_size)

_IMAGES = text("SELECT id FROM site_images WHERE tenant_id = :tenant AND id = ANY (:ids) FOR KEY SHARE")
_TOO_MANY: dict[Place, str] = {
    "hero": "Please choose one picture for the top of your home page.",
    "gallery": f"Your gallery can show up to {MAX_PER_PLACE['gallery']} pictures. Please remove one first.",
    "service": f"A service can show up to {MAX_PER_PLACE['service']} pictures. Please remove one first.",
}
_IMAGES_GONE = "One of these pictures was deleted. Please remove it here, too."
_IMAGE_GONE = "This picture was deleted. Please remove it here, too."
_SERVICES_GONE = "One of these services was deleted. Please move or remove its pictures."
_SERVICE_GONE = "This service was deleted. Please move the picture or remove it."


class GalleryConflict(Conflict):
    """The gallery was saved in another tab or on another device since this form was opened."""

    code = "changed_elsewhere"
    message = "Your pictures were changed in another tab or on another device. Your changes aren't lost."


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture at a place of the site (see GalleryPicture). Its position is that in the list."""

    place: Place
    service_id: UUID | None
    image_id: UUID
    alt: str
    focus_x: int
    focus_y: int


@dataclass(frozen=True, slots=True)
class OwnPicture:
    """A picture with its image, for the guru."""

    picture: Picture
    image: SiteImage


def revision(pictures: Sequence[Picture]) -> str:
    """Return the revision that the next save must name: a digest of all pictures in their order."""
    rows = [asdict(picture) for picture in pictures]
    return hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()[:32]


async def own_pictures(session: AsyncSession, tenant_id: UUID) -> list[OwnPicture]:
    """Return all pictures of a guru: by place, those of services by service, in their order."""
    query = (
        select(GalleryPicture, SiteImage)
        .join(
            SiteImage,
            (SiteImage.tenant_id == GalleryPicture.tenant_id) & (SiteImage.id == GalleryPicture.image_id),
        )
        .where(GalleryPicture.tenant_id == tenant_id)
        .order_by(GalleryPicture.place, GalleryPicture.service_id, GalleryPicture.position)
        .limit(MAX_PICTURES)
    )
    return [OwnPicture(_to_picture(row), image) for row, image in (await session.execute(query)).all()]


async def replace_pictures(
    session: AsyncSession,
    tenant_id: UUID,
    pictures: Sequence[Picture],
    *,
    services: Collection[UUID],
    revision_before: str,
) -> None:
    """Replace all pictures of a guru, in this order. `services`: those of the guru that pictures name, locked.

    Raise GalleryConflict if they have another revision, and ValidationFailed for a place with too many, and for an
    image or a service that the guru does not have.
    """
    check_places(pictures)
    await lock_count(session, "gallery", tenant_id)
    if revision([own.picture for own in await own_pictures(session, tenant_id)]) != revision_before:
        raise GalleryConflict
    image_ids = sorted({picture.image_id for picture in pictures})
    # Locked, so that none is deleted before the pictures that name it are stored.
    images = set(await session.scalars(_IMAGES, {"tenant": tenant_id, "ids": image_ids})) if image_ids else set()
    _refuse_gone([picture.image_id for picture in pictures], images, _IMAGES_GONE, _IMAGE_GONE)
    _refuse_gone([picture.service_id for picture in pictures], services, _SERVICES_GONE, _SERVICE_GONE)
    await session.execute(delete(GalleryPicture).where(GalleryPicture.tenant_id == tenant_id))
    if pictures:
        rows = [{"tenant_id": tenant_id, "id": new_id(), **row} for row in positioned(pictures)]
        await session.execute(insert(GalleryPicture), rows)


def check_places(pictures: Sequence[Picture]) -> None:
    """Raise ValidationFailed when a place has too many pictures, or a service is missing or not expected."""
    if len(pictures) > MAX_PICTURES:
        raise ValidationFailed(fields={"pictures": f"A site can show up to {MAX_PICTURES} pictures."})
    if any((picture.place == "service") != (picture.service_id is not None) for picture in pictures):
        raise ValidationFailed(fields={"pictures": "Only the pictures of services name a service."})
    for (place, _), count in Counter((picture.place, picture.service_id) for picture in pictures).items():
        if count > MAX_PER_PLACE[place]:
            raise ValidationFailed(fields={"pictures": _TOO_MANY[place]})


def positioned(pictures: Sequence[Picture]) -> list[dict[str, object]]:
    """Return the pictures as columns, each with its position among those of its place."""
    seen: Counter[tuple[Place, UUID | None]] = Counter()
    rows = []
    for picture in pictures:
        key = (picture.place, picture.service_id)
        rows.append(asdict(picture) | {"position": seen[key]})
        seen[key] += 1
    return rows


def _refuse_gone(named: Sequence[UUID | None], found: Collection[UUID], of_all: str, of_each: str) -> None:
    """Raise ValidationFailed if some of the rows that pictures name were not found.

    `named`: what each picture names. `of_all`, `of_each`: the messages for all pictures, and for each one.
    """
    gone = [at for at, id_ in enumerate(named) if id_ is not None and id_ not in found]
    if gone:
        raise ValidationFailed(fields={"pictures": of_all, **{f"pictures.{at}": of_each for at in gone}})


def _to_picture(row: GalleryPicture) -> Picture:
    return Picture(cast("Place", row.place), row.service_id, row.image_id, row.alt, row.focus_x, row.focus_y)
