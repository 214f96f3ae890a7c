"""Reading the disputes of a guru's sessions."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.disputes.evidence import (
    DisputedPackage,
    DisputedSession,
    PackageSession,
    evidence_of,
    facts_rows,
    package_evidence,
    package_rows,
)
from porchlight.features.bookings.disputes.models import SessionDispute
from porchlight.features.bookings.disputes.parts import DisputePart
from porchlight.features.bookings.disputes.schemas import FactData, GuruDisputeData, GuruDisputeDetails, GuruDisputeList
from porchlight.features.bookings.disputes.texts import reason_text
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.packages.models import PackageGrant
from porchlight.features.bookings.packages.queries import last_day
from porchlight.features.bookings.packages.sales import SoldPackage
from porchlight.features.bookings.payments.card_names import card_name
from porchlight.features.bookings.payments.models import Payment
from porchlight.features.bookings.payments.queries import receipt_number
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import parse_id_cursor

PAGE_SIZE = 20
_GONE = "A session"  # whose booking is gone
Paid = tuple[Payment, Booking | None]


async def disputes(session: AsyncSession, tenant_id: UUID, cursor: str | None) -> GuruDisputeList:
    """Return a page of a guru's disputes, the newest first. Raises ValidationFailed for an unknown cursor."""
    query = select(SessionDispute).where(SessionDispute.tenant_id == tenant_id)
    if (before := parse_id_cursor(cursor)) is not None:
        query = query.where(SessionDispute.id < before)
    rows = (await session.scalars(query.order_by(SessionDispute.id.desc()).limit(PAGE_SIZE + 1))).all()
    page = rows[:PAGE_SIZE]
    paid = await _paid(session, tenant_id, [one.group_id for one in page])
    return GuruDisputeList(
        disputes=[_data(one, paid.get(one.group_id, [])) for one in page],
        next_cursor=str(page[-1].id) if len(rows) > PAGE_SIZE else None,
    )


async def find_dispute(session: AsyncSession, tenant_id: UUID, dispute_id: UUID) -> SessionDispute:
    """Return a dispute of a guru as the database has it now. Raises NotFound."""
    query = select(SessionDispute).where(SessionDispute.tenant_id == tenant_id, SessionDispute.id == dispute_id)
    found = await session.scalar(query.execution_options(populate_existing=True))
    if found is None:
        raise NotFound
    return found


async def answer_evidence(
    session: AsyncSession, dispute: SessionDispute, words: str, customer_words: str
) -> dict[str, str]:
    """Return the guru's words and the facts about what was paid, in Stripe's fields."""
    paid = (await _paid(session, dispute.tenant_id, [dispute.group_id])).get(dispute.group_id, [])
    package = await _package(session, paid)
    if package is not None:
        return package_evidence(package, words, customer_words)
    sessions = _sessions(dispute, paid)
    return evidence_of(sessions, words, customer_words) if sessions else {"uncategorized_text": words}


async def dispute_details(session: AsyncSession, tenant_id: UUID, dispute_id: UUID) -> GuruDisputeDetails:
    """Return a dispute with its answer. Raises NotFound."""
    dispute = await find_dispute(session, tenant_id, dispute_id)
    paid = (await _paid(session, tenant_id, [dispute.group_id])).get(dispute.group_id, [])
    package = await _package(session, paid)
    rows = facts_rows(_sessions(dispute, paid)) if package is None else package_rows(package)
    booking = next((booking for _, booking in _concerned(dispute, paid) if booking is not None), None)
    return GuruDisputeDetails(
        **_data(dispute, paid).model_dump(),
        booking_id=str(booking.id) if booking and package is None else None,
        facts=[FactData(label=label, value=value) for label, value in rows],
        words=dispute.words,
        customer_words=dispute.customer_words,
    )


def can_answer(dispute: SessionDispute) -> bool:
    """Return whether the guru can answer now: app.answer_dispute takes it."""
    is_open = dispute.state in ("inquiry", "open") and dispute.answer_state in ("", "failed")
    return is_open and dispute.due_by is not None and dispute.due_by > clock.now()


def _data(dispute: SessionDispute, paid: Sequence[Paid]) -> GuruDisputeData:
    booking = next((booking for _, booking in _concerned(dispute, paid) if booking is not None), None)
    package = next((SoldPackage.of(payment.package) for payment, _ in paid if payment.package), None)
    parts = [DisputePart.of(one) for one in dispute.parts]
    return GuruDisputeData(
        id=str(dispute.id),
        state=dispute.state,
        amount_cents=dispute.amount_cents,
        share_cents=0 if dispute.returned else sum(one.cents - one.fee_cents for one in parts),
        reason=reason_text(dispute.reason),
        person_name=package.person_name if package else booking.person_name if booking else "",
        service_name=package.name if package else booking.service_name if booking else _GONE,
        opened_at=clock.to_iso8601(dispute.opened_at),
        due_by=clock.to_iso8601(dispute.due_by) if dispute.due_by else None,
        answer_state=dispute.answer_state,
        answered_at=clock.to_iso8601(dispute.answered_at) if dispute.answered_at else None,
        can_answer=can_answer(dispute),
    )


def _concerned(dispute: SessionDispute, paid: Sequence[Paid]) -> list[Paid]:
    """Return the payments from which the bank took something, or all if it took nothing."""
    taken = {DisputePart.of(one).payment_id for one in dispute.parts}
    return [one for one in paid if not taken or one[0].id in taken]


async def _paid(session: AsyncSession, tenant_id: UUID, group_ids: Sequence[UUID]) -> dict[UUID, list[Paid]]:
    query = (
        select(Payment, Booking)
        .outerjoin(Booking, and_(Booking.tenant_id == Payment.tenant_id, Booking.id == Payment.booking_id))
        .where(Payment.tenant_id == tenant_id, Payment.group_id.in_(group_ids), Payment.state == "paid")
        .order_by(Booking.starts_at, Payment.id)
    )
    found: dict[UUID, list[Paid]] = {}
    for payment, booking in (await session.execute(query)).all() if group_ids else ():
        found.setdefault(payment.group_id, []).append((payment, booking))
    return found


async def _package(session: AsyncSession, paid: Sequence[Paid]) -> DisputedPackage | None:
    """Return the package that was bought with these payments, with the sessions that use it, or None."""
    payment = next((payment for payment, _ in paid if payment.package), None)
    if payment is None:
        return None
    found = select(PackageGrant).where(
        PackageGrant.tenant_id == payment.tenant_id, PackageGrant.payment_id == payment.id
    )
    grant = await session.scalar(found)
    if grant is None:
        return None
    uses = select(Booking).where(
        Booking.tenant_id == grant.tenant_id, Booking.package_grant_id == grant.id, Booking.package_sessions > 0
    )
    bookings = (await session.scalars(uses.order_by(Booking.starts_at, Booking.id))).all()
    return DisputedPackage(
        name=grant.name, service_name=grant.service_name, guru_name=grant.guru_name, person_name=grant.person_name,
        granted=grant.granted, left=grant.left_over, taken_back=grant.taken_back,
        last_day=last_day(grant.expires_at, grant.zone), zone=grant.zone, price_cents=payment.amount_cents,
        paid_at=payment.paid_at or payment.created_at, card=card_name(payment.card_brand, payment.card_last4),
        receipt=receipt_number(payment.id), refunded_cents=payment.refunded_cents,
        sessions=[
            PackageSession(
                starts_at=one.starts_at, ends_at=one.ends_at, zone=one.zone, status=one.status, ended_by=one.ended_by,
                ended_at=one.ended_at, checked_in_at=one.checked_in_at, terms=one.terms, booked_at=one.created_at,
            )
            for one in bookings
        ],
    )  # fmt: skip


def _sessions(dispute: SessionDispute, paid: Sequence[Paid]) -> list[DisputedSession]:
    """Return the facts about the sessions of a dispute, the earliest first."""
    return [_facts(payment, booking) for payment, booking in _concerned(dispute, paid) if booking is not None]


def _facts(payment: Payment, booking: Booking) -> DisputedSession:
    return DisputedSession(
        service_name=booking.service_name, guru_name=booking.guru_name, person_name=booking.person_name,
        starts_at=booking.starts_at, ends_at=booking.ends_at, zone=booking.zone, status=booking.status,
        ended_by=booking.ended_by, ended_at=booking.ended_at, checked_in_at=booking.checked_in_at,
        terms=booking.terms, price_cents=payment.amount_cents, booked_at=payment.created_at,
        paid_at=payment.paid_at or payment.created_at, card=card_name(payment.card_brand, payment.card_last4),
        receipt=receipt_number(payment.id), refunded_cents=payment.refunded_cents,
    )  # fmt: skip
