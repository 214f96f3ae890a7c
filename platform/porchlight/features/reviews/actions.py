"""Writing reviews and replies, each under the lock of its booking."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.reviews.errors import ReviewClosed, refused
from porchlight.features.reviews.rules import QUIET_PERIOD, SessionFacts, Side, open_until, refusal
from porchlight.features.reviews.schemas import SessionReviewPayload
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id

_FACTS = """
SELECT b.tenant_id, b.status, b.ends_at, b.customer_token IS NOT NULL AND b.customer_email = '' AS lacks_link,
       b.checked_in_at IS NOT NULL AS is_checked_in,
       EXISTS (SELECT FROM memberships m WHERE m.tenant_id = b.tenant_id AND m.user_id = b.person_id) AS is_own_site,
       (SELECT r.reveals_at FROM reviews r
         WHERE r.tenant_id = b.tenant_id AND r.booking_id = b.id AND r.side = :side) AS own_reveals_at
  FROM bookings b WHERE b.id = :booking AND b.idempotency_key IS NOT NULL"""
_READ_FACTS = text(_FACTS + " AND b.tenant_id = :tenant")
_READ_OWN_FACTS = text(_FACTS + " AND b.person_id = :user")
_LOCK_FACTS = text(_FACTS + " AND b.tenant_id = :tenant FOR NO KEY UPDATE OF b")
_TENANT = text("SELECT tenant_id FROM bookings WHERE person_id = :user AND id = :booking")
_SUBMIT = text(
    "SELECT app.submit_review(:id, :booking, :side, CAST(:stars AS smallint), :body, :note, :address, :until, :quiet)"
)
_REPLY = text(
    "UPDATE reviews SET reply = :body, replied_at = CASE WHEN :body <> '' THEN app.now() END"
    " WHERE tenant_id = :tenant AND id = :review AND side = :about AND removed_at IS NULL RETURNING booking_id"
)
_REPLY_TO_GURU = text(
    "UPDATE reviews SET reply = :body, replied_at = CASE WHEN :body <> '' THEN app.now() END"
    " WHERE person_id = :user AND booking_id = :booking AND side = 'guru' AND removed_at IS NULL RETURNING id"
)


class WrittenReview(NamedTuple):
    """The words of a side, and the keyed hash of the network address that it writes from."""

    stars: int
    body: str
    private_note: str
    address: bytes


def written(payload: SessionReviewPayload, address: bytes) -> WrittenReview:
    """Return what a person wrote."""
    return WrittenReview(payload.stars, payload.body, payload.private_note, address)


async def guru_of(session: AsyncSession, user_id: UUID, booking_id: UUID) -> UUID:
    """Return the guru of a user's booking. Raises NotFound."""
    tenant_id = await session.scalar(_TENANT, {"user": user_id, "booking": booking_id})
    if tenant_id is None:
        raise NotFound
    found: UUID = tenant_id
    return found


async def facts_of(
    session: AsyncSession, tenant_id: UUID, booking_id: UUID, side: Side, *, lock: bool = False
) -> SessionFacts:
    """Return what decides about a review of a booking by a side. Raises NotFound."""
    values = {"tenant": tenant_id, "booking": booking_id, "side": side}
    return _to_facts((await session.execute(_LOCK_FACTS if lock else _READ_FACTS, values)).one_or_none())


async def own_facts(
    session: AsyncSession, user_id: UUID, booking_id: UUID, own_guru: UUID | None
) -> tuple[UUID, SessionFacts]:
    """Return the guru of a user's booking, and what decides about the user's review. Raises NotFound.

    `own_guru` is the tenant that the user owns.
    """
    values = {"user": user_id, "booking": booking_id, "side": "person"}
    row = (await session.execute(_READ_OWN_FACTS, values)).one_or_none()
    facts = _to_facts(row)
    tenant_id: UUID = cast("Any", row).tenant_id
    return tenant_id, replace(facts, is_own_site=tenant_id == own_guru)


def _to_facts(row: Any) -> SessionFacts:
    if row is None:
        raise NotFound
    ends_at: datetime = row.ends_at
    return SessionFacts(row.status, ends_at, row.lacks_link, row.is_checked_in, row.is_own_site, row.own_reveals_at)


async def write_review(
    session: AsyncSession, tenant_id: UUID, booking_id: UUID, side: Side, review: WrittenReview
) -> None:
    """Write or change a side's review. The second one of a session reveals both in this transaction.

    In a unit of work of the tenant with the person, or that acts for the tenant.
    Raises NotFound, ReviewClosed, OwnSite.
    """
    facts = await facts_of(session, tenant_id, booking_id, side, lock=True)
    if (reason := refusal(side, facts, clock.now())) is not None:
        raise refused(reason)
    values = {
        "id": new_id(), "booking": booking_id, "side": side, "stars": review.stars, "body": review.body,
        "note": review.private_note, "address": review.address, "until": open_until(facts.ends_at),
        "quiet": QUIET_PERIOD,
    }  # fmt: skip
    if await session.scalar(_SUBMIT, values) == "closed":
        raise ReviewClosed


async def reply_to_person(session: AsyncSession, tenant_id: UUID, review_id: UUID, body: str) -> UUID:
    """Reply as the guru to a revealed review. Return its booking. Raises NotFound."""
    values = {"tenant": tenant_id, "review": review_id, "about": "person", "body": body}
    booking_id = await session.scalar(_REPLY, values)
    if booking_id is None:
        raise NotFound
    found: UUID = booking_id
    return found


async def reply_to_guru(session: AsyncSession, user_id: UUID, booking_id: UUID, body: str) -> None:
    """Reply as the person to the guru's revealed review of a booking. Raises NotFound."""
    if await session.scalar(_REPLY_TO_GURU, {"user": user_id, "booking": booking_id, "body": body}) is None:
        raise NotFound
