"""Saving the wizard's answers. All functions expect a unit of work of their user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import delete, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.onboarding.models import CategoryPick, Onboarding
from porchlight.features.onboarding.schemas import (
    OnboardingDraftPayload,
    WizardProfilePayload,
    WizardServicePayload,
)
from porchlight.geo.checks import town_and_zip_problem
from porchlight.ports import Geocoder
from sites.hours.service_settings import require_place
from tenants.kit import clock
from tenants.kit.errors import ValidationFailed

MIN_SKILLS = 3  # SPEC 9: the hero's sentence lists three
PROFILE_FIELDS = ("display_name", "photo_url", "city", "zip", "bio")
_OPEN_CATEGORIES = text("SELECT slug FROM skill_categories WHERE slug = ANY (:slugs) AND NOT coming_soon")
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('onboarding ' || CAST(:user AS text), 0))")


async def lock_wizard(session: AsyncSession, user_id: UUID) -> None:
    """Serialize concurrent saves of one user."""
    await session.execute(_LOCK, {"user": str(user_id)})


async def save_profile(
    session: AsyncSession, user_id: UUID, payload: WizardProfilePayload | OnboardingDraftPayload, geocoder: Geocoder
) -> None:
    """Save the profile step or a draft of it. Omitted fields do not change.

    Raises ValidationFailed if the step has a town or ZIP code that is not clear; a draft with one is not complete.
    """
    await lock_wizard(session, user_id)
    names = PROFILE_FIELDS if isinstance(payload, WizardProfilePayload) else payload.model_fields_set
    values = {name: value for name in names if (value := getattr(payload, name)) is not None}
    row = (
        await session.execute(
            insert(Onboarding)
            .values(user_id=user_id, **values)
            .on_conflict_do_update(index_elements=[Onboarding.user_id], set_=values | {"updated_at": clock.now()})
            .returning(*(getattr(Onboarding, name) for name in PROFILE_FIELDS))
        )
    ).one()
    problem = await town_and_zip_problem(geocoder, row.city, row.zip)
    if problem and isinstance(payload, WizardProfilePayload):
        raise ValidationFailed(fields=dict([problem]))
    complete = problem is None and _is_complete(dict(zip(PROFILE_FIELDS, row, strict=True)))
    await session.execute(update(Onboarding).where(Onboarding.user_id == user_id).values(complete=complete))


def _is_complete(fields: dict[str, str]) -> bool:
    aliases = {name: field.alias or name for name, field in WizardProfilePayload.model_fields.items()}
    try:
        WizardProfilePayload.model_validate({aliases[name]: value for name, value in fields.items()})
    except ValidationError:
        return False
    return True


async def update_categories(session: AsyncSession, user_id: UUID, slugs: list[str]) -> None:
    """Replace the user's categories. Raises ValidationFailed for a category that is unknown or not open yet."""
    await lock_wizard(session, user_id)
    chosen = set(slugs)
    known = set((await session.scalars(_OPEN_CATEGORIES, {"slugs": sorted(chosen)})).all())
    if chosen - known:
        message = "One of these categories isn't available yet. Please choose from the others."
        raise ValidationFailed(message, fields={"categories": message})
    picked = select(CategoryPick.category_slug).where(CategoryPick.user_id == user_id)
    before = set((await session.scalars(picked)).all())
    await session.execute(
        delete(CategoryPick).where(CategoryPick.user_id == user_id, CategoryPick.category_slug.in_(before - chosen))
    )

    if chosen - before:
        await session.execute(
            insert(CategoryPick).values([{"user_id": user_id, "category_slug": slug} for slug in chosen - before])
        )


async def confirm_skills(session: AsyncSession, user_id: UUID, skills: list[str]) -> None:
    """Save the primary skills of the new site. Raises ValidationFailed for too few."""
    if len(skills) < MIN_SKILLS:
        raise ValidationFailed(fields={"skills": f"Enter at least {MIN_SKILLS} skills."})
    await lock_wizard(session, user_id)
    await _save(session, user_id, {"skills": skills})


async def confirm_services(
    session: AsyncSession, user_id: UUID, services: Sequence[WizardServicePayload], *, place: str, place_text: str
) -> None:
    """Save the services as the user confirmed them, and where they take place.

    Raises ValidationFailed without a service, and for the guru's own place or an online one without its address or
    link.
    """
    if not services:
        raise ValidationFailed(fields={"services": "Keep at least one service."})
    require_place(place, place_text)
    await lock_wizard(session, user_id)
    values = {"services": [service.model_dump() for service in services], "place": place, "place_text": place_text}
    await _save(session, user_id, values)


async def _save(session: AsyncSession, user_id: UUID, values: dict[str, Any]) -> None:
    await session.execute(
        insert(Onboarding)
        .values(user_id=user_id, **values)
        .on_conflict_do_update(index_elements=[Onboarding.user_id], set_=values | {"updated_at": clock.now()})
    )
