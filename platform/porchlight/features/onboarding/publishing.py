"""Publishing, unpublishing and renaming a guru's site.

All functions expect a unit of work of their user. The SQL functions `app.publish_guru`, `app.rename_guru` and
`app.unpublish_guru` check ownership from the transaction's user id, not from arguments.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.onboarding import actions, queries
from porchlight.features.onboarding.listed_categories import UPDATE_LISTED_CATEGORIES
from porchlight.features.onboarding.models import Onboarding
from porchlight.features.onboarding.queries import RESERVED_MESSAGE, TAKEN_MESSAGE, GuruSummary
from porchlight.features.onboarding.schemas import WizardCategory
from porchlight.plans.entitlements import apply_limits, lock_plan
from sites.guru_profile.actions import publish_site_profile
from sites.hours.proposal import DEFAULT_PLACE, propose_hours
from sites.posts.markdown import plain_text, render
from sites.services.actions import create_default_services
from sites.theme.presets import default_theme
from tenants.kit import clock
from tenants.kit.errors import Conflict, Forbidden, NotFound, Unauthenticated, ValidationFailed
from tenants.kit.ids import new_id

MAX_FORMER_LABELS = 5  # each stays reserved for its guru, so others cannot use it
MAX_TAGLINE_LENGTH = 160
_PUBLISH = text("SELECT outcome, guru_id, guru_label FROM app.publish_guru(:id, :label)")
_RENAME = text("SELECT outcome, guru_id, guru_label FROM app.rename_guru(:label, :most)")
_UNPUBLISH = text("SELECT app.unpublish_guru()")
_DELETE_UNPICKED_CATEGORIES = text(
    "DELETE FROM guru_categories WHERE tenant_id = :tenant"
    " AND slug NOT IN (SELECT category_slug FROM category_picks WHERE user_id = :user)"
)
# Not listed until UPDATE_LISTED_CATEGORIES, in the same transaction, has checked the documents.
_INSERT_PICKED_CATEGORIES = text(
    "INSERT INTO guru_categories (tenant_id, slug, name, position, needs_documents, listed)"
    " SELECT :tenant, c.slug, c.name, c.position, true, false"
    " FROM category_picks p JOIN skill_categories c ON c.slug = p.category_slug"
    " WHERE p.user_id = :user AND NOT c.coming_soon ON CONFLICT DO NOTHING"
)


class StepsMissing(Conflict):
    """Not all steps of the wizard are complete (SPEC 5)."""

    code = "steps_missing"
    message = "Complete all steps first."


class ServicesUnconfirmed(Conflict):
    """The user has not confirmed the services that the new site starts with."""

    code = "services_unconfirmed"
    message = "Check your services and confirm them first."


class SkillsUnconfirmed(Conflict):
    """The user has not confirmed the skills that the new site shows."""

    code = "skills_unconfirmed"
    message = "Check your skills and confirm them first."


class OwnerSuspended(Forbidden):
    """An admin suspended the site; its owner cannot publish it."""

    code = "site_suspended"
    message = "Your site has been suspended. Contact us if you think this is a mistake."


class SubdomainTaken(Conflict):
    """Another guru has the subdomain."""

    code = "subdomain_taken"


class RenamedTooOften(Conflict):
    """The guru has `MAX_FORMER_LABELS` former subdomains, which all stay reserved."""

    code = "renamed_too_often"
    message = "You've reached the limit for address changes. Go back to an earlier address or contact us."


def _raise_for_outcome(outcome: str, label: str) -> None:
    """Raise the error of an SQL function's outcome."""
    if outcome in ("no_user", "no_guru"):
        raise Unauthenticated
    if outcome == "suspended":
        raise OwnerSuspended
    if outcome == "not_ready":
        raise StepsMissing
    if outcome == "too_often":
        raise RenamedTooOften
    if outcome == "changed":
        raise Conflict
    if outcome in ("taken", "reserved", "invalid"):
        message = (RESERVED_MESSAGE if outcome == "reserved" else TAKEN_MESSAGE).format(label=label)
        raise SubdomainTaken(message, fields={"subdomain": message})


async def _require_available(session: AsyncSession, label: str, own_id: UUID | None) -> None:
    reason = await queries.unavailable_reason(session, label, own_id)
    if reason is not None:
        error = SubdomainTaken if reason.taken else ValidationFailed
        raise error(reason.message, fields={"subdomain": reason.message})


async def publish(session: AsyncSession, user_id: UUID, email: str, label: str | None) -> tuple[GuruSummary, bool]:
    """Create the user's guru, or update it with the wizard's answers. Return it, and whether it was created.

    Idempotent, and open to every plan. `label`, the skills and the services are only used for a new guru; an existing
    one keeps its own. A guru without a calendar gets proposed hours. The services of a new one, which the user has
    confirmed, can be booked at once if their place is known.
    Raises StepsMissing, ServicesUnconfirmed, SkillsUnconfirmed, OwnerSuspended, SubdomainTaken, ValidationFailed.
    """
    await lock_plan(session)
    await actions.lock_wizard(session, user_id)
    own = await queries.own_guru(session)
    draft = await queries.draft(session, user_id)
    new_label = (label or draft.subdomain) if own is None else own.label
    if own is None and not new_label:
        new_label = await queries.suggestion(session, draft.display_name)
    if own is None:
        if not (await queries.steps(session, user_id)).review_ready:
            raise StepsMissing
        if draft.services is None:
            raise ServicesUnconfirmed
        if draft.skills is None:
            raise SkillsUnconfirmed
        await _require_available(session, new_label, None)
    try:
        row = (await session.execute(_PUBLISH, {"id": new_id(), "label": new_label})).one()
    except IntegrityError as error:  # another user published under this label at the same time
        message = TAKEN_MESSAGE.format(label=new_label)
        raise SubdomainTaken(message, fields={"subdomain": message}) from error
    _raise_for_outcome(row.outcome, new_label)
    created = row.outcome == "created"
    tenant_id: UUID = row.guru_id
    await queries.enter_tenant(session, tenant_id)
    await session.execute(_DELETE_UNPICKED_CATEGORIES, {"tenant": tenant_id, "user": user_id})
    await session.execute(_INSERT_PICKED_CATEGORIES, {"tenant": tenant_id, "user": user_id})
    connection = await session.connection()
    for statement in UPDATE_LISTED_CATEGORIES:  # app.publish_guru took the lock
        await connection.exec_driver_sql(statement)
    if created:
        await create_default_services(session, tenant_id, queries.new_services(draft))
    await apply_limits(session, "tenant")
    await propose_hours(
        session,
        tenant_id,
        queries.hours_zone(draft),
        open_services=created and draft.place != "",
        place=draft.place or DEFAULT_PLACE,
        place_text=draft.place_text,
    )
    await _update_site_texts(session, tenant_id, draft, email, created=created)
    return GuruSummary(tenant_id, row.guru_label, "active"), created


async def _update_site_texts(
    session: AsyncSession, tenant_id: UUID, draft: Onboarding, email: str, *, created: bool
) -> None:
    now = clock.now()
    texts = {name: getattr(draft, name) for name in actions.PROFILE_FIELDS}
    before = draft.published or {}
    # A text that did not change in the wizard may have been changed in the console, so it is kept.
    changed = {name for name, value in texts.items() if created or before.get(name) != value}
    values: dict[str, Any] = {}
    if "display_name" in changed:
        values["character"] = draft.display_name
    if "city" in changed:
        values["city"] = draft.city
    if "photo_url" in changed:
        values["photo_url"] = draft.photo_url
    if "bio" in changed:
        values |= {"about_markdown": draft.bio, "about_html": render(draft.bio), "tagline": tagline(draft.bio)}
    if created:
        categories = await queries.site_categories(session, tenant_id)
        theme = default_theme(next((category.slug for category in categories if category.listed), None))
        values |= {
            "primary_color": theme.primary,
            "secondary_color": theme.secondary,
            "icon": theme.icon,
            "emoji": theme.emoji,
            "appearance": "day",
            "contact_email": email,
            "primary_skills": draft.skills,
        }
    if values:
        await publish_site_profile(session, tenant_id, values)
    await session.execute(
        update(Onboarding)
        .where(Onboarding.user_id == draft.user_id)
        .values(published=texts, published_at=now, updated_at=now)
    )


def tagline(bio: str) -> str:
    """Return the first sentence of a bio, or as many whole words as fit."""
    text = plain_text(bio)
    for index, character in enumerate(text[:MAX_TAGLINE_LENGTH]):
        if character in ".!?" and (index + 1 == len(text) or text[index + 1] == " "):
            return text[: index + 1]
    if len(text) <= MAX_TAGLINE_LENGTH:
        return text
    return text[:MAX_TAGLINE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:–-") + "…"


async def unpublish(session: AsyncSession, user_id: UUID) -> GuruSummary:
    """Take the user's site offline (410) until it is published again. Raises NotFound, OwnerSuspended."""
    if not await session.scalar(_UNPUBLISH):
        raise NotFound
    own = await queries.own_guru(session)
    if own is None:
        raise NotFound
    if own.status == "suspended":
        raise OwnerSuspended
    return own


async def rename(session: AsyncSession, user_id: UUID, label: str) -> GuruSummary:
    """Change the subdomain of the user's site. The former one redirects (308) and stays reserved for this guru.

    Raises NotFound without a site, OwnerSuspended, SubdomainTaken, RenamedTooOften, ValidationFailed.
    """
    own = await queries.own_guru(session)
    if own is None:
        raise NotFound
    if label != own.label:
        await _require_available(session, label, own.tenant_id)
    try:
        row = (await session.execute(_RENAME, {"label": label, "most": MAX_FORMER_LABELS})).one()
    except IntegrityError as error:
        message = TAKEN_MESSAGE.format(label=label)
        raise SubdomainTaken(message, fields={"subdomain": message}) from error
    _raise_for_outcome(row.outcome, label)
    return GuruSummary(own.tenant_id, row.guru_label, own.status)


def has_unpublished_changes(draft: Onboarding, categories: Iterable[WizardCategory], picks: Iterable[str]) -> bool:
    """Return whether the wizard's answers differ from the published site, which has these categories."""
    if {name: getattr(draft, name) for name in actions.PROFILE_FIELDS} != draft.published:
        return True
    return {category.slug for category in categories} != set(picks)
