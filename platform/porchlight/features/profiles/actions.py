"""Actions on profiles: registration, changes, photos. Each runs inside its caller's unit of work."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import (
    PROFILE_PHOTO_PATH,
    OfferCounts,
    ProfileParts,
    profile_photo_url,
)
from porchlight.features.profiles.handles import create_handle
from porchlight.features.profiles.models import Profile, ProfilePhoto
from porchlight.features.profiles.schemas import (
    MAX_DISPLAY_NAME_LENGTH,
    MAX_URL_LENGTH,
    ProfilePayload,
    RegisterPayload,
    SkillPayload,
    Skills,
)
from porchlight.geo.checks import town_problem
from porchlight.plans.entitlements import apply_limits, check_quota, lock_plan
from porchlight.plans.limits import PlanFeature
from porchlight.ports import Geocoder
from tenants.db.jobs import enqueue
from tenants.kit import clock, images
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id

WELCOME_TASK = "profiles:send_welcome"
PHOTO_SIZE_PIXELS = 512
_MAX_HANDLE_ATTEMPTS = 5


class HandleTaken(Conflict):
    """Another profile has this handle."""

    code = "handle_taken"
    message = "This handle is taken. Please choose another."


async def create_empty_profile(session: AsyncSession, user_id: UUID, name: str) -> None:
    """Create the profile of a new account, with a handle made from `name`. Raises Conflict if no handle is free."""
    display_name = name[:MAX_DISPLAY_NAME_LENGTH]
    for attempt in range(_MAX_HANDLE_ATTEMPTS):
        created_id = await session.scalar(
            insert(Profile)
            .values(user_id=user_id, handle=create_handle(display_name, plain=attempt == 0), display_name=display_name)
            .on_conflict_do_nothing(index_elements=[Profile.handle])
            .returning(Profile.user_id)
        )
        if created_id is not None:
            return
    raise Conflict


async def register(
    session: AsyncSession, user_id: UUID, payload: RegisterPayload, *, name: str, picture: str, location: str
) -> bool:
    """Fill in the profile of a new account. Return False if it is registered already: nothing changes (SPEC 7.2).

    `name` and `picture` are from the ID token; they replace missing fields of the payload. `location` replaces the
    payload's (`location_to_store`). A sign-up never fails because of a plan: offers beyond its limit are unlisted.
    """
    await lock_plan(session)
    now = clock.now()
    display_name = (
        payload.display_name or f"{payload.first_name} {payload.last_name}".strip() or name[:MAX_DISPLAY_NAME_LENGTH]
    )
    registered_id = await session.scalar(
        update(Profile)
        .where(Profile.user_id == user_id, Profile.registered_at.is_(None))
        .values(
            first_name=payload.first_name,
            last_name=payload.last_name,
            display_name=display_name,
            location=location,
            photo_url=_external_url(payload.photo_url or "") or _external_url(picture),
            skills_offered=_stored_skills(payload.skills.offered),
            skills_wanted=_stored_skills(payload.skills.wanted),
            registered_at=now,
            updated_at=now,
        )
        .returning(Profile.user_id)
    )
    if registered_id is None:
        return False
    await apply_limits(session)
    await _update_handle(session, user_id, display_name)
    await enqueue(session, WELCOME_TASK)
    return True


async def update_profile(
    session: AsyncSession,
    user_id: UUID,
    payload: ProfilePayload,
    *,
    email: str,
    geocoder: Geocoder,
    offer_counts: OfferCounts,
) -> None:
    """Update the fields of a profile that the payload contains.

    Raises ValidationFailed, HandleTaken, NotFound, and PlanRequired or LimitReached for more offers than the plan
    allows. New skills are offered as a swap.
    """
    plan = await lock_plan(session)
    offers_before = await offer_counts.exchange_offers(session, user_id)
    if payload.email is not None and payload.email.lower() != email:
        raise ValidationFailed(fields={"email": "Change your email address in your account settings."})
    # An older location that is not known stays until its user changes it.
    problem = await town_problem(geocoder, payload.location or "")
    if problem and payload.location != await session.scalar(select(Profile.location).where(Profile.user_id == user_id)):
        raise ValidationFailed(fields={"location": problem})
    if _removes_photo(payload):
        await session.execute(delete(ProfilePhoto).where(ProfilePhoto.user_id == user_id))
    now = clock.now()
    values = _changed_columns(payload) | {
        "updated_at": now,
        "registered_at": func.coalesce(Profile.registered_at, now),
    }
    try:
        async with session.begin_nested():  # a taken handle must not abort the transaction
            updated_id = await session.scalar(
                update(Profile).where(Profile.user_id == user_id).values(values).returning(Profile.user_id)
            )
    except IntegrityError as error:
        raise HandleTaken(fields={"handle": HandleTaken.message}) from error
    if updated_id is None:
        raise NotFound
    if "skills_offered" in values:
        offers = await offer_counts.exchange_offers(session, user_id)
        if offers > offers_before:
            check_quota(plan, PlanFeature.EXCHANGE_OFFERS, offers - 1)
        await apply_limits(session)


async def encode_photo(upload: bytes, owner: UUID) -> bytes:
    """Return an uploaded image as a profile photo: a square WebP without metadata. Raise TooLarge and InvalidImage."""
    size = (PHOTO_SIZE_PIXELS, PHOTO_SIZE_PIXELS)
    return (await images.reencode_image(upload, size, owner=owner, field="photo", crop=True)).data


async def update_photo(session: AsyncSession, user_id: UUID, body: bytes | None) -> str:
    """Replace the profile photo with a WebP image, or remove it with None. Return the new URL, "" without a photo."""
    await session.execute(delete(ProfilePhoto).where(ProfilePhoto.user_id == user_id))
    photo_id = None
    if body is not None:
        photo_id = new_id()
        await session.execute(insert(ProfilePhoto).values(user_id=user_id, id=photo_id, body=body))
    await session.execute(
        update(Profile)
        .where(Profile.user_id == user_id)
        .values(photo_id=photo_id, photo_url="", updated_at=clock.now())
    )
    return profile_photo_url(photo_id, "")


async def fill_in_profile(session: AsyncSession, user_id: UUID, parts: ProfileParts) -> None:
    """Fill in bio, location and photo where the profile has none."""
    profile = await session.scalar(select(Profile).where(Profile.user_id == user_id).with_for_update())
    if profile is None:
        return
    lacks_photo = not (profile.photo_id or profile.photo_url)
    values = {
        "bio": profile.bio or parts.bio,
        "location": profile.location or parts.city,
        "photo_url": parts.photo_url if lacks_photo else profile.photo_url,
    }
    if lacks_photo and parts.photo is not None:
        await update_photo(session, user_id, parts.photo)
    await session.execute(update(Profile).where(Profile.user_id == user_id).values(values))


def _stored_skills(skills: Skills) -> list[dict[str, Any]]:
    """Return skills as stored in the profile, without duplicates: the first spelling of a name counts."""
    stored: dict[str, dict[str, Any]] = {}
    for skill in skills:
        name, level = (skill.name, skill.level) if isinstance(skill, SkillPayload) else (skill, None)
        stored.setdefault(name.casefold(), {"name": name, "level": level})
    return list(stored.values())


async def _update_handle(session: AsyncSession, user_id: UUID, name: str) -> None:
    """Give the profile a handle made from the name, if one is free: the first handle preceded the name."""
    for plain in (True, False):
        try:
            async with session.begin_nested():
                await session.execute(
                    update(Profile).where(Profile.user_id == user_id).values(handle=create_handle(name, plain=plain))
                )
            return
        except IntegrityError:
            continue


async def location_to_store(geocoder: Geocoder, location: str) -> str:
    """Return the location of a new profile: as typed if it is clear, the town of a ZIP code, else "".

    A sign-up must not fail, so an unclear place or a street address is left out; the profile lists its town as missing.
    """
    place = (await geocoder.match(location)).place
    if place is None:
        return ""
    return place.label if any(character.isdigit() for character in location) else location


def _external_url(url: str) -> str:
    return url if url.startswith("https://") and len(url) <= MAX_URL_LENGTH else ""


def _removes_photo(payload: ProfilePayload) -> bool:
    """Return whether the payload replaces the uploaded photo by an external one, or by none."""
    return "photo_url" in payload.model_fields_set and not (payload.photo_url or "").startswith(PROFILE_PHOTO_PATH)


def _changed_columns(payload: ProfilePayload) -> dict[str, Any]:
    """Return the columns that the payload changes, with their new values."""
    fields_set = payload.model_fields_set
    values: dict[str, Any] = {}
    for name in ("first_name", "last_name", "display_name", "bio", "location", "availability", "languages", "handle"):
        value = getattr(payload, name)
        if name in fields_set and value is not None:
            values[name] = value
    if _removes_photo(payload):
        values["photo_url"] = payload.photo_url or ""
        values["photo_id"] = None
    if payload.skills is not None:
        if "offered" in payload.skills.model_fields_set:
            values["skills_offered"] = _stored_skills(payload.skills.offered)
        if "wanted" in payload.skills.model_fields_set:
            values["skills_wanted"] = _stored_skills(payload.skills.wanted)
    if payload.privacy is not None:
        columns = {
            "is_public": payload.privacy.public_profile,
            "shows_location": payload.privacy.show_location,
            "shows_skills": payload.privacy.show_skills,
            "shows_availability": payload.privacy.show_availability,
        }
        values |= {name: value for name, value in columns.items() if value is not None}
    return values
