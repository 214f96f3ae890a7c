"""Reading accounts: one's own through the fence, others' by the functions that show what is public."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.accounts.devices import device_name
from porchlight.accounts.models import Profile, Session, User
from porchlight.accounts.schemas import (
    HANDLE,
    OWN_PHOTOS,
    OpenSession,
    PrivacyAnswer,
    ProfileAnswer,
    PublicProfileAnswer,
    SessionUser,
    SkillAnswer,
    SkillsAnswer,
)
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound

_FIND_USER = "SELECT user_id, status, signed_out_at, email, email_verified, ended_sign_ins FROM app.find_user(%s)"
_FIND_SESSION = (
    "SELECT user_id, id, firebase_uid, email, email_verified, authenticated_at, token_issued_at"
    " FROM app.find_session(%s)"
)
_FIND_DOMAIN_SESSION = _FIND_SESSION.replace("app.find_session(%s)", "app.find_domain_session(%s, %s)")
_FIND_HOLDER = "SELECT user_id, id FROM app.find_pass(%s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class FoundUser:
    """An account by its uid at the identity service."""

    user_id: UUID
    status: str
    signed_out_at: datetime | None
    email: str
    email_verified: bool
    ended_sign_ins: list[datetime]

    def lets_in(self, auth_time: int) -> bool:
        """Whether a sign-in of this moment (epoch seconds) still counts."""
        if self.status != "active" or (self.signed_out_at and auth_time < self.signed_out_at.timestamp()):
            return False
        return all(auth_time != int(ended.timestamp()) for ended in self.ended_sign_ins)


async def found_user(db: Database, firebase_uid: str) -> FoundUser | None:
    """Our account of somebody the identity service knows."""
    rows = await db.read(None, _FIND_USER, [firebase_uid])
    return FoundUser(*rows[0]) if rows else None


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A living cookie session and whose it is. `token_issued_at`: of the ID token it was exchanged for."""

    user_id: UUID
    id: UUID
    firebase_uid: str
    email: str
    email_verified: bool
    authenticated_at: datetime
    token_issued_at: datetime


async def found_domain_session(db: Database, secret_hash: bytes, domain: str) -> FoundSession | None:
    """The living session that a cookie of a custom domain came of."""
    rows = await db.read(None, _FIND_DOMAIN_SESSION, [secret_hash, domain])
    return FoundSession(*rows[0]) if rows else None


async def found_pass(
    db: Database, pass_hash: bytes, browser_hash: bytes, domain: str, life: timedelta
) -> tuple[UUID, UUID] | None:
    """Whose pass it is and its id, when it was made for this browser and this domain less than `life` ago."""
    rows = await db.read(None, _FIND_HOLDER, [pass_hash, browser_hash, domain, life])
    return (rows[0][0], rows[0][1]) if rows else None


async def found_session(db: Database, secret_hash: bytes) -> FoundSession | None:
    """The living session of a cookie."""
    rows = await db.read(None, _FIND_SESSION, [secret_hash])
    return FoundSession(*rows[0]) if rows else None


def photo_url(photo_id: UUID | str | None, elsewhere: str) -> str:
    """Where a picture is: ours if there is one, else the one at another service, else ""."""
    return f"{OWN_PHOTOS}{photo_id}.webp" if photo_id else elsewhere


def _skills(offered: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> SkillsAnswer:
    def each(stored: list[dict[str, Any]]) -> list[SkillAnswer]:
        return [SkillAnswer(name=skill["name"], level=skill["level"]) for skill in stored]

    return SkillsAnswer(offered=each(offered), wanted=each(wanted))


async def own_profile(session: AsyncSession, user_id: UUID) -> ProfileAnswer:
    """One's own profile. Raises NotFound when the account is gone."""
    found = (
        await session.execute(
            select(User, Profile).join(Profile, Profile.user_id == User.user_id).where(User.user_id == user_id)
        )
    ).one_or_none()
    if found is None:
        raise NotFound
    user, profile = found
    return ProfileAnswer(
        id=str(user_id),
        handle=profile.handle,
        email=user.email,
        email_verified=user.email_verified,
        first_name=profile.first_name,
        last_name=profile.last_name,
        display_name=profile.display_name,
        bio=profile.bio,
        location=profile.location,
        photo_url=photo_url(profile.photo_id, profile.photo_url),
        skills=_skills(profile.skills_offered, profile.skills_wanted),
        languages=profile.languages,
        availability=profile.availability,
        privacy=PrivacyAnswer(
            public_profile=profile.is_public,
            show_location=profile.shows_location,
            show_skills=profile.shows_skills,
            show_availability=profile.shows_availability,
        ),
        created_at=clock.wire(user.created_at),
    )


async def session_user(session: AsyncSession, user_id: UUID) -> SessionUser | None:
    """Who is signed in, as every host of ours may know it."""
    columns = (Profile.handle, Profile.display_name, Profile.photo_id, Profile.photo_url)
    row = (await session.execute(select(*columns).where(Profile.user_id == user_id))).one_or_none()
    if row is None:
        return None
    return SessionUser(id=str(user_id), handle=row[0], display_name=row[1], photo_url=photo_url(row[2], row[3]))


async def open_sessions(session: AsyncSession, user_id: UUID, current: bytes) -> list[OpenSession]:
    """Every living cookie session of a user, the newest first; `current` is the hash of the cookie at hand."""
    wanted = (
        select(Session).where(Session.user_id == user_id, Session.expires_at > clock.now()).order_by(Session.id.desc())
    )
    return [
        OpenSession(
            id=str(found.id),
            device=device_name(found.user_agent),
            user_agent=found.user_agent,
            authenticated_at=clock.wire(found.authenticated_at),
            created_at=clock.wire(found.created_at),
            last_seen_at=clock.wire(found.last_seen_at),
            expires_at=clock.wire(found.expires_at),
            current=found.secret_hash == current,
        )
        for found in (await session.scalars(wanted)).all()
    ]


async def public_profile(db: Database, handle: str) -> PublicProfileAnswer:
    """What others see of a neighbour. Unknown, hidden and erased answer alike: NotFound."""
    if not HANDLE.fullmatch(handle):
        raise NotFound
    rows = await db.read(None, "SELECT app.public_profile(%s)", [handle])
    shown = rows[0][0]
    if shown is None:
        raise NotFound
    return PublicProfileAnswer(
        handle=shown["handle"],
        display_name=shown["display_name"],
        bio=shown["bio"],
        location=shown["location"],
        photo_url=photo_url(shown["photo_id"], shown["photo_url"]),
        skills=_skills(shown["skills_offered"], shown["skills_wanted"]),
        languages=shown["languages"],
        availability=shown["availability"],
        member_since=shown["created_at"][:10],
    )


async def photo(db: Database, photo_id: UUID) -> bytes:
    """A profile photo's WebP bytes. Raises NotFound."""
    rows = await db.read(None, "SELECT app.photo(%s)", [photo_id])
    if rows[0][0] is None:
        raise NotFound
    return bytes(rows[0][0])
