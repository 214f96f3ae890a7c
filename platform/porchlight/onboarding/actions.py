"""What somebody tells the wizard. Each works inside the unit of work of its user."""

from __future__ import annotations

from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import delete, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.onboarding.models import CategoryPick, Onboarding
from porchlight.onboarding.schemas import DraftPayload, WizardProfilePayload
from tenants.kit import clock
from tenants.kit.errors import ValidationFailed

FIELDS = ("display_name", "photo_url", "city", "zip", "bio")
_OPEN = text("SELECT slug FROM skill_categories WHERE slug = ANY (:slugs) AND NOT coming_soon")
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('onboarding ' || CAST(:user AS text), 0))")


async def take_turns(session: AsyncSession, user_id: UUID) -> None:
    """Two saves of one person come one after the other."""
    await session.execute(_LOCK, {"user": str(user_id)})


async def save_profile(session: AsyncSession, user_id: UUID, sent: WizardProfilePayload | DraftPayload) -> None:
    """Keep the profile step, or anything as far as it was typed. What was not sent stays."""
    await take_turns(session, user_id)
    named = FIELDS if isinstance(sent, WizardProfilePayload) else sent.model_fields_set
    values = {name: value for name in named if (value := getattr(sent, name)) is not None}
    kept = (
        await session.execute(
            insert(Onboarding)
            .values(user_id=user_id, **values)
            .on_conflict_do_update(index_elements=[Onboarding.user_id], set_=values | {"updated_at": clock.now()})
            .returning(*(getattr(Onboarding, name) for name in FIELDS))
        )
    ).one()
    complete = isinstance(sent, WizardProfilePayload) or _acceptable(dict(zip(FIELDS, kept, strict=True)))
    await session.execute(update(Onboarding).where(Onboarding.user_id == user_id).values(complete=complete))


def _acceptable(fields: dict[str, str]) -> bool:
    aliases = {name: field.alias or name for name, field in WizardProfilePayload.model_fields.items()}
    try:
        WizardProfilePayload.model_validate({aliases[name]: value for name, value in fields.items()})
    except ValidationError:
        return False
    return True


async def choose_categories(session: AsyncSession, user_id: UUID, slugs: list[str]) -> None:
    """Make these the person's categories. Raises ValidationFailed for one that is unknown or not open yet."""
    await take_turns(session, user_id)
    wanted = set(slugs)
    known = set((await session.scalars(_OPEN, {"slugs": sorted(wanted)})).all())
    if wanted - known:
        words = "One of these is not on offer yet. Please choose among the others."
        raise ValidationFailed(words, fields={"categories": words})
    chosen = select(CategoryPick.category_slug).where(CategoryPick.user_id == user_id)
    before = set((await session.scalars(chosen)).all())
    await session.execute(
        delete(CategoryPick).where(CategoryPick.user_id == user_id, CategoryPick.category_slug.in_(before - wanted))
    )
    if wanted - before:
        await session.execute(
            insert(CategoryPick).values([{"user_id": user_id, "category_slug": slug} for slug in wanted - before])
        )
