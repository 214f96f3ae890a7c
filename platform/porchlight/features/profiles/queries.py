"""Queries on profiles: a user's own rows, and the public part of other profiles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth.models import User
from porchlight.contracts import ProfileCard, profile_photo_url
from porchlight.features.profiles.models import Profile
from porchlight.features.profiles.schemas import (
    HANDLE,
    PrivacyResponse,
    ProfileResponse,
    ProfileSkillResponse,
    ProfileSkillsResponse,
    PublicProfileResponse,
)
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound

_PUBLIC_PROFILE = """
SELECT handle, display_name, bio, location, photo_id, photo_url, skills_offered, skills_wanted, languages, availability,
       created_at
  FROM public_profiles WHERE handle = %s"""


@dataclass(frozen=True, slots=True)
class _PublicProfile:
    handle: str
    display_name: str
    bio: str
    location: str
    photo_id: UUID | None
    photo_url: str
    skills_offered: list[dict[str, Any]]
    skills_wanted: list[dict[str, Any]]
    languages: list[str]
    availability: str
    created_at: datetime


def _skills(offered: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> ProfileSkillsResponse:
    def to_response(stored: list[dict[str, Any]]) -> list[ProfileSkillResponse]:
        return [ProfileSkillResponse(name=skill["name"], level=skill["level"]) for skill in stored]

    return ProfileSkillsResponse(offered=to_response(offered), wanted=to_response(wanted))


async def own_profile(session: AsyncSession, user_id: UUID) -> ProfileResponse:
    """Return the user's own profile. Raises NotFound if the account was deleted."""
    row = (
        await session.execute(
            select(User, Profile).join(Profile, Profile.user_id == User.user_id).where(User.user_id == user_id)
        )
    ).one_or_none()
    if row is None:
        raise NotFound
    user, profile = row
    return ProfileResponse(
        id=str(user_id),
        handle=profile.handle,
        email=user.email,
        email_verified=user.email_verified,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name,
        bio=profile.bio,
        location=profile.location,
        photo_url=profile_photo_url(profile.photo_id, profile.photo_url),
        skills=_skills(profile.skills_offered, profile.skills_wanted),
        languages=profile.languages,
        availability=profile.availability,
        privacy=PrivacyResponse(
            public_profile=profile.is_public,
            show_location=profile.shows_location,
            show_skills=profile.shows_skills,
            show_availability=profile.shows_availability,
        ),
        created_at=clock.to_iso8601(user.created_at),
    )


async def profile_card(session: AsyncSession, user_id: UUID) -> ProfileCard | None:
    """Return the user's own name and photo, or None if the account was deleted."""
    columns = (Profile.handle, Profile.display_name, Profile.photo_id, Profile.photo_url)
    row = (await session.execute(select(*columns).where(Profile.user_id == user_id))).one_or_none()
    if row is None:
        return None
    return ProfileCard(
        handle=row.handle, display_name=row.display_name, photo_url=profile_photo_url(row.photo_id, row.photo_url)
    )


async def public_profile(db: Database, handle: str, reader: UUID | None = None) -> PublicProfileResponse:
    """Return the public part of a profile, as the reader sees it.

    Raises NotFound for an unknown, hidden or deleted profile alike.
    """
    if not HANDLE.fullmatch(handle):
        raise NotFound
    profile = next(iter(await db.read(None, _PUBLIC_PROFILE, [handle], row=_PublicProfile, user_id=reader)), None)
    if profile is None:
        raise NotFound
    return PublicProfileResponse(
        handle=profile.handle,
        display_name=profile.display_name,
        bio=profile.bio,
        location=profile.location,
        photo_url=profile_photo_url(profile.photo_id, profile.photo_url),
        skills=_skills(profile.skills_offered, profile.skills_wanted),
        languages=profile.languages,
        availability=profile.availability,
        member_since=f"{profile.created_at.astimezone(UTC):%Y-%m-%d}",
    )


async def photo(db: Database, photo_id: UUID, viewer: UUID | None) -> bytes:
    """Return a profile photo as WebP. Raises NotFound."""
    body = await db.read_value(bytes, None, "SELECT app.photo(%s)", [photo_id], user_id=viewer)
    if body is None:
        raise NotFound
    return body
