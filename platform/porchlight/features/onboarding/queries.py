"""Queries of the wizard: steps, required documents, available subdomains.

All functions expect a unit of work of their user.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.onboarding import subdomains
from porchlight.features.onboarding.models import CategoryPick, Onboarding
from porchlight.features.onboarding.schemas import (
    NeededDocument,
    ProposedHours,
    RequiredDocuments,
    Requirements,
    StatusDocument,
    WizardCategory,
    WizardProfile,
    WizardService,
    WizardServices,
    WizardSkills,
    WizardSteps,
)
from porchlight.geo.zones import zone_of_zip
from sites.guru_profile.skills import MAX_SKILL_LENGTH
from sites.hours.proposal import DEFAULT_ZONE, PROPOSED_RANGE, PROPOSED_WEEKDAYS
from sites.services.defaults import DEFAULT_LABEL, DEFAULTS, NewService

MAX_DOCUMENTS = 200
MAX_HERO_SKILLS = 5  # SPEC 9: as many as the hero has chips
MAX_PROPOSED_SKILLS = 8
DOCUMENT_TITLES = {
    "license": "License",
    "insurance": "General liability insurance $1M/$2M",  # SPEC 9
    "auto": "Auto insurance",
}
# Which of the four steps the user has completed, as app.publish_guru checks them.
_STEPS_OF_USER = """
SELECT EXISTS (SELECT FROM onboardings o WHERE o.user_id = :user AND o.complete) AS profile,
       count(s.slug) > 0 AS categories, coalesce(bool_and(s.submitted), false) AS requirements,
       EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = :user AND p.connected
                  AND p.charges_enabled AND p.payouts_enabled AND p.details_submitted) AS payout
  FROM app.category_status(:user, ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = :user)) s"""
_STEPS = text(_STEPS_OF_USER)
_PROGRESS = text(f"""
SELECT s.profile, s.categories, s.requirements, s.payout,
       ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = :user) AS picks,
       (SELECT coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'status', d.status,
                                                   'category', d.category) ORDER BY d.id DESC), '[]')
          FROM (SELECT * FROM documents d WHERE d.user_id = :user ORDER BY d.id DESC LIMIT :most) d) AS documents
  FROM ({_STEPS_OF_USER}) s""")
_REQUIRED_DOCUMENTS = text(
    "SELECT slug, name, risk_level, requires_license, requires_gl, requires_auto_insurance, notes, documents,"
    " submitted, approved FROM app.category_status(:user, ARRAY(SELECT p.category_slug FROM category_picks p"
    " WHERE p.user_id = :user))"
)
_GURU = text("SELECT tenant_id, label, status FROM app.own_guru()")
_ENTER_TENANT = text("SELECT set_config('app.tenant_id', :tenant, true)")
_SITE_CATEGORIES = text(
    "SELECT slug, name, listed, over_limit, needs_documents FROM guru_categories WHERE tenant_id = :tenant"
    " ORDER BY position, slug"
)
# What the user already offers as a neighbor. A new site starts with it; nothing is on it that the guru did not choose.
_OWN_SKILLS = text("""
SELECT name FROM (
  SELECT 0 AS source, s.place, s.skill ->> 'name' AS name
    FROM profiles p CROSS JOIN jsonb_array_elements(p.skills_offered) WITH ORDINALITY s (skill, place)
   WHERE p.user_id = :user
  UNION ALL
  SELECT 1, row_number() OVER (ORDER BY o.id), o.title FROM skill_offers o WHERE o.user_id = :user
) own
 WHERE char_length(name) <= :length
 ORDER BY source, place""")
# The skills of the chosen categories, the popular ones first, the categories in turn.
_CATEGORY_SKILLS = text("""
SELECT t.name
  FROM category_picks k JOIN skill_categories c ON c.slug = k.category_slug
 CROSS JOIN LATERAL (
   SELECT d.name, row_number() OVER (ORDER BY d.popular DESC, d.name) AS place
     FROM (SELECT DISTINCT m.name, m.popular FROM skill_search_terms m
            WHERE m.category_slug = c.slug AND lower(m.name) <> lower(c.name)) d) t
 WHERE k.user_id = :user AND t.place <= :most
 ORDER BY t.place, c.position""")
_LABELS = text("""
SELECT w.label, CASE WHEN f.label = w.label THEN 'taken' ELSE 'reserved' END AS status, f.id AS tenant_id
  FROM unnest(CAST(:labels AS text[])) w (label) CROSS JOIN LATERAL app.find_site(w.label) f""")

TAKEN_MESSAGE = "“{label}” is already taken. Please choose another site address."
RESERVED_MESSAGE = "“{label}” is reserved for the guru who used it before. Please choose another site address."


@dataclass(frozen=True, slots=True)
class GuruSummary:
    """The guru that a user owns."""

    tenant_id: UUID
    label: str
    status: str


class UnavailableReason(NamedTuple):
    """The reason why a subdomain is not available. `taken`: another guru has it."""

    message: str
    taken: bool


async def draft(session: AsyncSession, user_id: UUID) -> Onboarding:
    """Return the user's answers so far; empty ones for a user who has not started."""
    row = await session.get(Onboarding, user_id)
    if row is not None:
        return row
    return Onboarding(
        user_id=user_id,
        display_name="",
        photo_url="",
        city="",
        zip="",
        bio="",
        complete=False,
        subdomain="",
        place="",
        place_text="",
    )


def wizard_profile(row: Onboarding) -> WizardProfile:
    """Return the profile step of a response."""
    return WizardProfile(
        display_name=row.display_name,
        photo_url=row.photo_url,
        city=row.city,
        zip=row.zip,
        bio=row.bio,
        complete=row.complete,
    )


async def wizard_skills(session: AsyncSession, row: Onboarding) -> WizardSkills:
    """Return the skills of a response: those that the user confirmed, else those that the user offers already."""
    if row.skills is not None:
        return WizardSkills(confirmed=True, skills=row.skills)
    names = await session.scalars(_OWN_SKILLS, {"user": row.user_id, "length": MAX_SKILL_LENGTH})
    return WizardSkills(confirmed=False, skills=_unique(names)[:MAX_HERO_SKILLS])


async def skill_proposals(session: AsyncSession, user_id: UUID, of_bio: Sequence[str]) -> list[str]:
    """Return skills to choose from: those of the bio, then those of the chosen categories."""
    of_categories = await session.scalars(_CATEGORY_SKILLS, {"user": user_id, "most": MAX_PROPOSED_SKILLS})
    names = [name[0].upper() + name[1:] for name in (*of_bio, *of_categories)]
    return _unique(names)[:MAX_PROPOSED_SKILLS]


def _unique(names: Iterable[str]) -> list[str]:
    unique: dict[str, str] = {}
    for name in names:
        unique.setdefault(name.casefold(), name)
    return list(unique.values())


def new_services(row: Onboarding) -> list[NewService]:
    """Return the services of a new site: those that the user confirmed, else the default ones."""
    if row.services is None:
        return list(DEFAULTS)
    return [
        NewService(
            name=stored["name"],
            price_cents=stored["price_cents"],
            minutes=stored["duration_minutes"],
            # Earlier releases stored neither.
            label="" if stored["duration_minutes"] is not None else stored.get("duration_label", DEFAULT_LABEL),
            description=stored.get("description", ""),
            features=tuple(stored.get("features", ())),
        )
        for stored in row.services
    ]


def wizard_services(row: Onboarding) -> WizardServices:
    """Return the services of a response."""
    services = [
        WizardService(
            name=service.name,
            price_cents=service.price_cents,
            duration_minutes=service.minutes,
            duration_label=service.label,
            description=service.description,
            features=list(service.features),
        )
        for service in new_services(row)
    ]
    start, end = PROPOSED_RANGE
    hours = ProposedHours(zone=hours_zone(row), weekdays=list(PROPOSED_WEEKDAYS), start=start, end=end)
    return WizardServices(
        confirmed=row.services is not None,
        services=services,
        place=row.place,
        place_text=row.place_text,
        hours=hours,
    )


def hours_zone(row: Onboarding) -> str:
    """Return the IANA zone of the ZIP code, in which the hours of a new site are proposed."""
    return zone_of_zip(row.zip) or DEFAULT_ZONE


async def steps(session: AsyncSession, user_id: UUID) -> WizardSteps:
    """Return which steps are complete."""
    return _wizard_steps(*(await session.execute(_STEPS, {"user": user_id})).one())


def _wizard_steps(profile: bool, categories: bool, requirements: bool, payout: bool) -> WizardSteps:
    return WizardSteps(
        profile_complete=profile,
        categories_complete=categories,
        requirements_complete=requirements,
        payout_connected=payout,
        review_ready=profile and categories and requirements and payout,
    )


@dataclass(frozen=True, slots=True)
class Progress:
    """The steps, the slugs of the chosen categories, and the newest documents by id."""

    steps: WizardSteps
    picks: list[str]
    documents: dict[str, StatusDocument]


async def progress(session: AsyncSession, user_id: UUID) -> Progress:
    """Return what the user has done so far, in one statement."""
    row = (await session.execute(_PROGRESS, {"user": user_id, "most": MAX_DOCUMENTS})).one()
    return Progress(
        _wizard_steps(row.profile, row.categories, row.requirements, row.payout),
        sorted(row.picks),
        {document["id"]: StatusDocument(**document) for document in row.documents},
    )


async def picks(session: AsyncSession, user_id: UUID) -> list[str]:
    """Return the slugs of the chosen categories."""
    query = select(CategoryPick.category_slug).where(CategoryPick.user_id == user_id)
    return sorted((await session.scalars(query)).all())


async def required_documents(session: AsyncSession, user_id: UUID) -> list[RequiredDocuments]:
    """Return the documents that each chosen category requires, and their states."""
    return [
        RequiredDocuments(
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
                for kind, title in DOCUMENT_TITLES.items()
                if kind in row.documents
            ],
            submitted=row.submitted,
            approved=row.approved,
        )
        for row in await session.execute(_REQUIRED_DOCUMENTS, {"user": user_id})
    ]


async def own_guru(session: AsyncSession) -> GuruSummary | None:
    """Return the guru that the current user owns, or None."""
    row = (await session.execute(_GURU)).one_or_none()
    return GuruSummary(row.tenant_id, row.label, row.status) if row else None


async def enter_tenant(session: AsyncSession, tenant_id: UUID) -> None:
    """Give the rest of the transaction access to this guru's rows."""
    await session.execute(_ENTER_TENANT, {"tenant": str(tenant_id)})


async def site_categories(session: AsyncSession, tenant_id: UUID) -> list[WizardCategory]:
    """Return the guru's published categories, listed or not. Expects `enter_tenant`."""
    return [
        WizardCategory(
            slug=row.slug,
            name=row.name,
            listed=row.listed and not row.over_limit,
            over_limit=row.listed and row.over_limit,
            verified=row.listed and row.needs_documents,
            needs_documents=row.needs_documents,
        )
        for row in await session.execute(_SITE_CATEGORIES, {"tenant": tenant_id})
    ]


async def _label_statuses(session: AsyncSession, candidates: list[str]) -> dict[str, tuple[str, UUID]]:
    rows = await session.execute(_LABELS, {"labels": candidates})
    return {row.label: (row.status, row.tenant_id) for row in rows}


async def unavailable_reason(session: AsyncSession, label: str, own_id: UUID | None) -> UnavailableReason | None:
    """Return why a label is not available to the owner of guru `own_id`, or None if it is available."""
    message = subdomains.refusal_message(label)
    if message is not None:
        return UnavailableReason(message, False)
    status, tenant_id = (await _label_statuses(session, [label])).get(label, (None, None))
    if status is None or tenant_id == own_id:
        return None
    return UnavailableReason((TAKEN_MESSAGE if status == "taken" else RESERVED_MESSAGE).format(label=label), True)


async def suggestion(session: AsyncSession, name: str) -> str:
    """Return an available label for a user of this name."""
    candidates = subdomains.suggest_labels(name)
    statuses = await _label_statuses(session, candidates)
    return next((label for label in candidates if label not in statuses), candidates[-1])
