"""Reading the wizard: how far somebody is, what their categories want, which addresses are free.

Each works inside the unit of work of its user; the fence is theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.onboarding import labels
from porchlight.onboarding.models import CategoryPick, Onboarding
from porchlight.onboarding.schemas import (
    NeededAnswer,
    NeededDocument,
    Requirements,
    StatusDocument,
    StepAnswer,
    WizardCategory,
    WizardProfile,
)

DOCUMENTS = 200  # the newest that a status tells of
TITLES = {
    "license": "License",
    "insurance": "General liability insurance $1M/$2M",  # SPEC 9
    "auto": "Auto insurance",
}
_STEPS = text("SELECT profile, categories, requirements, payout FROM app.onboarding_steps(:user)")
_DOCUMENTS = text(
    "SELECT d.id, d.type, d.status, d.category FROM documents d WHERE d.user_id = :user ORDER BY d.id DESC LIMIT :most"
)
_NEEDED = text(
    "SELECT slug, name, risk_level, requires_license, requires_gl, requires_auto_insurance, notes, documents,"
    " submitted, approved FROM app.category_standing(:user, ARRAY(SELECT p.category_slug FROM category_picks p"
    " WHERE p.user_id = :user))"
)
_GURU = text("SELECT tenant_id, label, status FROM app.guru_of(:user)")
_ENTER = text("SELECT set_config('app.tenant_id', :tenant, true)")
_SITE = text(
    "SELECT slug, name, listed, needs_documents FROM guru_categories WHERE tenant_id = :tenant ORDER BY position, slug"
)
_LABELS = text("SELECT label, standing, tenant_id FROM app.label_standing(:labels)")

TAKEN = "“{label}” is already taken. Please choose another site address."
KEPT_BACK = "“{label}” is kept back for the guru who had it. Please choose another site address."


@dataclass(frozen=True, slots=True)
class FoundGuru:
    """The guru somebody owns, as the database has it."""

    tenant_id: UUID
    label: str
    status: str


class WhyNot(NamedTuple):
    """Why an address cannot be had, in a sentence; `taken`: because it is somebody's."""

    words: str
    taken: bool


async def draft(session: AsyncSession, user_id: UUID) -> Onboarding:
    """What the wizard was told so far; an empty draft before anything was."""
    found = await session.get(Onboarding, user_id)
    if found is not None:
        return found
    return Onboarding(
        user_id=user_id, display_name="", photo_url="", city="", zip="", bio="", complete=False, subdomain=""
    )


def shown(found: Onboarding) -> WizardProfile:
    """The profile step as it is answered."""
    return WizardProfile(
        display_name=found.display_name,
        photo_url=found.photo_url,
        city=found.city,
        zip=found.zip,
        bio=found.bio,
        complete=found.complete,
    )


async def steps(session: AsyncSession, user_id: UUID) -> StepAnswer:
    """Which steps are done."""
    done = (await session.execute(_STEPS, {"user": user_id})).one()
    return StepAnswer(
        profile_complete=done.profile,
        categories_complete=done.categories,
        requirements_complete=done.requirements,
        payout_connected=done.payout,
        review_ready=all(done),
    )


async def picks(session: AsyncSession, user_id: UUID) -> list[str]:
    """The slugs of the chosen categories."""
    wanted = select(CategoryPick.category_slug).where(CategoryPick.user_id == user_id)
    return sorted((await session.scalars(wanted)).all())


async def documents(session: AsyncSession, user_id: UUID) -> dict[str, StatusDocument]:
    """The newest documents of somebody, by id."""
    rows = await session.execute(_DOCUMENTS, {"user": user_id, "most": DOCUMENTS})
    return {
        str(row.id): StatusDocument(id=str(row.id), type=row.type, status=row.status, category=row.category)
        for row in rows
    }


async def needed(session: AsyncSession, user_id: UUID) -> list[NeededAnswer]:
    """What each chosen category wants, and how it stands."""
    return [
        NeededAnswer(
            slug=row.slug,
            name=row.name,
            risk_level=row.risk_level,
            requirements=Requirements(
                requires_license=row.requires_license,
                requires_gl=row.requires_gl,
                requires_auto_insurance=row.requires_auto_insurance,
                notes=row.notes,
            ),
            documents=[
                NeededDocument.model_validate({"type": kind, "title": title, "state": row.documents[kind]})
                for kind, title in TITLES.items()
                if kind in row.documents
            ],
            submitted=row.submitted,
            approved=row.approved,
        )
        for row in await session.execute(_NEEDED, {"user": user_id})
    ]


async def guru(session: AsyncSession, user_id: UUID) -> FoundGuru | None:
    """The guru somebody owns."""
    row = (await session.execute(_GURU, {"user": user_id})).one_or_none()
    return FoundGuru(row.tenant_id, row.label, row.status) if row else None


async def enter(session: AsyncSession, tenant_id: UUID) -> None:
    """Go on within this guru's fence, until the unit of work ends."""
    await session.execute(_ENTER, {"tenant": str(tenant_id)})


async def site_categories(session: AsyncSession, tenant_id: UUID) -> list[WizardCategory]:
    """What a guru published, held back or not. Within the guru's fence."""
    return [
        WizardCategory(
            slug=row.slug,
            name=row.name,
            listed=row.listed,
            verified=row.listed and row.needs_documents,
            needs_documents=row.needs_documents,
        )
        for row in await session.execute(_SITE, {"tenant": tenant_id})
    ]


async def _standing(session: AsyncSession, wanted: list[str]) -> dict[str, tuple[str, UUID]]:
    rows = await session.execute(_LABELS, {"labels": wanted})
    return {row.label: (row.standing, row.tenant_id) for row in rows}


async def why_not(session: AsyncSession, label: str, own: UUID | None) -> WhyNot | None:
    """Why somebody who owns the guru `own` cannot have this address; None when they can."""
    refusal = labels.refusal(label)
    if refusal is not None:
        return WhyNot(refusal, False)
    standing, whose = (await _standing(session, [label])).get(label, (None, None))
    if standing is None or whose == own:
        return None
    return WhyNot((TAKEN if standing == "taken" else KEPT_BACK).format(label=label), True)


async def suggestion(session: AsyncSession, name: str) -> str:
    """A free address for somebody of this name."""
    wanted = labels.proposals(name)
    standing = await _standing(session, wanted)
    return next((label for label in wanted if label not in standing), wanted[-1])
