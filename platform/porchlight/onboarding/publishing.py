"""From a finished wizard to a site that answers, in one transaction; and what its owner may do with it as a whole.

Each works inside the unit of work of its user. Who owns what is decided by the database's own functions
(`app.publish_guru`, `app.rename_guru`, `app.unpublish_guru`), which take nobody's word for it.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import insert, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.onboarding import actions, queries
from porchlight.onboarding.models import Onboarding
from porchlight.onboarding.queries import KEPT_BACK, TAKEN, FoundGuru
from porchlight.onboarding.themes import theme_for
from sites.posts.markdown import plain, render
from sites.services.defaults import default_rows
from sites.services.models import Service
from tenants.kit import clock
from tenants.kit.errors import Conflict, Forbidden, NotFound, Unauthenticated, ValidationFailed
from tenants.kit.ids import new_id
from tenants.models import Guru

FORMER_LABELS = 5  # addresses of one guru that are kept back; each is out of others' reach
TAGLINE = 160  # characters
_PUBLISH = text("SELECT outcome, guru_id, guru_label FROM app.publish_guru(:id, :label)")
_RENAME = text("SELECT outcome, guru_id, guru_label FROM app.rename_guru(:label, :most)")
_UNPUBLISH = text("SELECT app.unpublish_guru()")
_RELIST = text("SELECT app.relist(:user)")
_DROP = text(
    "DELETE FROM guru_categories WHERE tenant_id = :tenant"
    " AND slug NOT IN (SELECT category_slug FROM category_picks WHERE user_id = :user)"
)
# Held back until `app.relist`, in the same transaction, has looked at the documents.
_OFFER = text(
    "INSERT INTO guru_categories (tenant_id, slug, name, position, needs_documents, listed)"
    " SELECT :tenant, c.slug, c.name, c.position, true, false"
    " FROM category_picks p JOIN skill_categories c ON c.slug = p.category_slug"
    " WHERE p.user_id = :user AND NOT c.coming_soon ON CONFLICT DO NOTHING"
)


class StepsMissing(Conflict):
    """SPEC 5."""

    code = "steps_missing"
    message = "Complete all steps first."


class OwnerSuspended(Forbidden):
    """Staff took the site down; its owner cannot bring it back."""

    code = "site_suspended"
    message = "Your site has been suspended. Please write to us if you think this is a mistake."


class SubdomainTaken(Conflict):
    """Somebody else has the address, or has just got it."""

    code = "subdomain_taken"


class RenamedTooOften(Conflict):
    """Each former address is kept back for its guru, so there are only so many."""

    code = "renamed_too_often"
    message = "Your site has had many addresses already. Please go back to one of them, or write to us."


def _refuse(outcome: str, label: str) -> None:
    """Raise what an outcome of the database's functions means."""
    if outcome == "nobody":
        raise Unauthenticated
    if outcome == "suspended":
        raise OwnerSuspended
    if outcome == "not_ready":
        raise StepsMissing
    if outcome == "too_often":
        raise RenamedTooOften
    if outcome == "changed":
        raise Conflict
    if outcome in ("taken", "kept_back", "refused"):
        words = (KEPT_BACK if outcome == "kept_back" else TAKEN).format(label=label)
        raise SubdomainTaken(words, fields={"subdomain": words})


async def _refuse_label(session: AsyncSession, label: str, own: UUID | None) -> None:
    reason = await queries.why_not(session, label, own)
    if reason is not None:
        kind = SubdomainTaken if reason.taken else ValidationFailed
        raise kind(reason.words, fields={"subdomain": reason.words})


async def publish(session: AsyncSession, user_id: UUID, email: str, label: str | None) -> tuple[FoundGuru, bool]:
    """Make the person's guru, or bring it up to what the wizard says. True with it when it is new.

    All or nothing, once however often it is asked for. `label` is for a new guru; a present one keeps theirs.
    Raises StepsMissing, OwnerSuspended, SubdomainTaken, ValidationFailed.
    """
    await actions.take_turns(session, user_id)
    own = await queries.guru(session, user_id)
    draft = await queries.draft(session, user_id)
    wanted = (label or draft.subdomain) if own is None else own.label
    if own is None and not wanted:
        wanted = await queries.suggestion(session, draft.display_name)
    if own is None:
        if not (await queries.steps(session, user_id)).review_ready:
            raise StepsMissing
        await _refuse_label(session, wanted, None)
    try:
        row = (await session.execute(_PUBLISH, {"id": new_id(), "label": wanted})).one()
    except IntegrityError as taken:  # by somebody who took no turn
        words = TAKEN.format(label=wanted)
        raise SubdomainTaken(words, fields={"subdomain": words}) from taken
    _refuse(row.outcome, wanted)
    made = row.outcome == "made"
    tenant_id: UUID = row.guru_id
    await queries.enter(session, tenant_id)
    await session.execute(_DROP, {"tenant": tenant_id, "user": user_id})
    await session.execute(_OFFER, {"tenant": tenant_id, "user": user_id})
    await session.execute(_RELIST, {"user": user_id})
    if made:
        await session.execute(insert(Service), default_rows(tenant_id))
    await _write_texts(session, tenant_id, draft, email, made=made)
    return FoundGuru(tenant_id, row.guru_label, "active"), made


async def _write_texts(session: AsyncSession, tenant_id: UUID, draft: Onboarding, email: str, *, made: bool) -> None:
    now = clock.now()
    texts = {name: getattr(draft, name) for name in actions.FIELDS}
    before = draft.published or {}
    # What did not change here since the last time may have been changed in the console: it stays.
    changed = {name for name, value in texts.items() if made or before.get(name) != value}
    values: dict[str, Any] = {}
    if "display_name" in changed:
        values["character"] = draft.display_name
    if "city" in changed:
        values["city"] = draft.city
    if "photo_url" in changed:
        values["photo_url"] = draft.photo_url
    if "bio" in changed:
        values |= {"about_markdown": draft.bio, "about_html": render(draft.bio), "tagline": tagline(draft.bio)}
    if made:
        listed = [one for one in await queries.site_categories(session, tenant_id) if one.listed]
        theme = theme_for(listed[0].slug if listed else None)
        values |= {
            "primary_color": theme.primary,
            "secondary_color": theme.secondary,
            "icon": theme.icon,
            "emoji": theme.emoji,
            "contact_email": email,
        }
    if values:
        await session.execute(update(Guru).where(Guru.id == tenant_id).values(values))
    await session.execute(
        update(Onboarding)
        .where(Onboarding.user_id == draft.user_id)
        .values(published=texts, published_at=now, updated_at=now)
    )


def tagline(bio: str) -> str:
    """The first sentence of a bio, or as many whole words of it as make one line."""
    words = plain(bio)
    for at, character in enumerate(words[:TAGLINE]):
        if character in ".!?" and (at + 1 == len(words) or words[at + 1] == " "):
            return words[: at + 1]
    if len(words) <= TAGLINE:
        return words
    return words[:TAGLINE].rsplit(" ", 1)[0].rstrip(" ,;:–-") + "…"


async def unpublish(session: AsyncSession, user_id: UUID) -> FoundGuru:
    """Take the person's site off the air: it answers 410 until they publish again. Raises NotFound without one."""
    if not await session.scalar(_UNPUBLISH):
        raise NotFound
    own = await queries.guru(session, user_id)
    if own is None:
        raise NotFound
    if own.status == "suspended":
        raise OwnerSuspended
    return own


async def rename(session: AsyncSession, user_id: UUID, label: str) -> FoundGuru:
    """Give the person's site another address. The old one redirects (308) and is kept back for them.

    Raises NotFound without a site, OwnerSuspended, SubdomainTaken, RenamedTooOften, ValidationFailed.
    """
    own = await queries.guru(session, user_id)
    if own is None:
        raise NotFound
    if label != own.label:
        await _refuse_label(session, label, own.tenant_id)
    try:
        row = (await session.execute(_RENAME, {"label": label, "most": FORMER_LABELS})).one()
    except IntegrityError as taken:
        words = TAKEN.format(label=label)
        raise SubdomainTaken(words, fields={"subdomain": words}) from taken
    _refuse(row.outcome, label)
    return FoundGuru(own.tenant_id, row.guru_label, own.status)


async def changed_since(session: AsyncSession, draft: Onboarding, tenant_id: UUID, picks: list[str]) -> bool:
    """Whether the wizard has something the site does not show yet. Within the guru's fence."""
    if {name: getattr(draft, name) for name in actions.FIELDS} != draft.published:
        return True
    offered = {one.slug for one in await queries.site_categories(session, tenant_id)}
    return offered != set(picks)
