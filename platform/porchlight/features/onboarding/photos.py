"""Photos that are uploaded in the wizard. All functions expect a unit of work of their user."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import profile_photo_url
from porchlight.features.onboarding.models import Onboarding, OnboardingPhoto
from porchlight.features.onboarding.schemas import UPLOADED_PHOTO
from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import new_id


def uploaded_photo_id(url: str) -> UUID | None:
    """Return the id of an uploaded photo, or None for the address of another service and for ""."""
    match = UPLOADED_PHOTO.fullmatch(url)
    return UUID(match[1]) if match else None


async def create_photo(session: AsyncSession, user_id: UUID, body: bytes) -> str:
    """Store a photo. Return its path. Besides it, only the photos in the draft and on the published site are kept."""
    used = select(Onboarding.photo_url, Onboarding.published["photo_url"].astext).where(Onboarding.user_id == user_id)
    row = (await session.execute(used)).one_or_none()
    kept = [kept_id for url in row or () if (kept_id := uploaded_photo_id(url or ""))]
    await session.execute(
        delete(OnboardingPhoto).where(OnboardingPhoto.user_id == user_id, OnboardingPhoto.id.not_in(kept))
    )
    photo = OnboardingPhoto(user_id=user_id, id=new_id(), body=body)
    session.add(photo)
    await session.flush()  # raises integrity errors here, not at the commit
    return profile_photo_url(photo.id, "")


async def photo_body(session: AsyncSession, user_id: UUID, url: str) -> bytes | None:
    """Return an uploaded photo of the user, or None for the address of another service and for "".

    Raises ValidationFailed for a path that is not of one of the user's photos.
    """
    photo_id = uploaded_photo_id(url)
    if photo_id is None:
        return None
    query = select(OnboardingPhoto.body).where(OnboardingPhoto.user_id == user_id, OnboardingPhoto.id == photo_id)
    body = await session.scalar(query)
    if body is None:
        raise ValidationFailed(fields={"photoUrl": "We don't have this photo anymore. Please upload it again."})
    return body
