"""Holds in the form of the API, and reading a user's own bookings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, bindparam, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import terms_of
from porchlight.features.bookings.guru_card import GuruCard
from porchlight.features.bookings.models import WAS_SENT, Booking, Participant
from porchlight.features.bookings.moves.answer_time import is_open
from porchlight.features.bookings.participants.queries import participant_data, participants_of
from porchlight.features.bookings.payments.amounts import due_now_cents, is_paid_by_card
from porchlight.features.bookings.payments.queries import payments_data
from porchlight.features.bookings.schemas import (
    AnswerData,
    BookedSession,
    BookingData,
    BookingsData,
    CurrentTermsData,
    HoldData,
    MinorWaiverData,
    MoveProposalData,
    PaymentData,
    PolicyData,
    UsablePackageData,
    UsedPackageData,
    WaiverNeedData,
)
from porchlight.features.bookings.tokens import HoldToken
from porchlight.features.bookings.waiver_due import lacks_waiver
from porchlight.features.bookings.waivers import OwnWaiver, WaiverNeed
from sites.hours.schemas import QuestionData
from tenants.db.cursors import LAST_ROW
from tenants.kit import clock
from tenants.kit.errors import KeyReused, NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 20
When = Literal["upcoming", "waiting", "past"]


def hold_data(
    booking: Booking,
    token: HoldToken,
    need: WaiverNeed,
    own: OwnWaiver,
    package: UsablePackageData | None,
    guru: GuruCard,
) -> HoldData:
    """Return a hold in the form of the API. `own` is the user's waiver, `package` one that covers the session."""
    now = clock.now()
    expires_at = booking.expires_at if booking.status == "held" else None
    is_open = expires_at is not None and expires_at > now
    return HoldData(
        **_session(booking),
        guru=guru,
        token=token.text,
        waiver=WaiverNeedData(
            required=need.required,
            signed=need.signed,
            level=need.level,
            reasons=need.reasons,
            category=need.category,
            valid_until=_iso(own.until) if own.until else None,
            outdated=own.is_outdated,
            minors=[MinorWaiverData(name=name, valid_until=_iso(until)) for name, until in own.minors],
        ),
        status="held" if is_open else "expired",
        expires_at=_iso(expires_at) if expires_at and is_open else None,
        seconds_left=int((expires_at - now).total_seconds()) if expires_at and is_open else 0,
        is_offer=booking.address_hash is None,
        package=package if is_open else None,
        pays_by_card=is_paid_by_card(booking),
        due_now_cents=due_now_cents(booking),
        booking_id=str(booking.id) if booking.idempotency_key is not None else None,
    )


class BookingPages(NamedTuple):
    """The statements of a list by start: of its first page, and of one after LAST_ROW."""

    first: Select[Any]
    following: Select[Any]


def pages_by_start(condition: ColumnElement[bool], *, latest_first: bool = False) -> BookingPages:
    """Return the statements of the bookings of a condition."""
    key = tuple_(Booking.starts_at, Booking.id)
    first = select(Booking).where(condition).limit(PAGE_SIZE + 1)
    if latest_first:
        first = first.order_by(Booking.starts_at.desc(), Booking.id.desc())
        return BookingPages(first, first.where(key < LAST_ROW))
    first = first.order_by(Booking.starts_at, Booking.id)
    return BookingPages(first, first.where(key > LAST_ROW))


# Statements are built once, because that takes longer than the query.
IS_PAST = and_(
    or_(Booking.ends_at <= bindparam("now"), Booking.status.not_in(("requested", "confirmed"))),
    WAS_SENT,
    Booking.status != "held",
)
_IS_OWN = Booking.person_id == bindparam("user")
_IS_AHEAD = and_(_IS_OWN, Booking.ends_at > bindparam("now"))
_PAGES: dict[When, BookingPages] = {
    # A hold that the person has yet to pay for, too: what to do next comes first.
    "upcoming": pages_by_start(and_(_IS_AHEAD, Booking.status.in_(("confirmed", "held")), WAS_SENT)),
    "waiting": pages_by_start(and_(_IS_AHEAD, Booking.status == "requested")),
    "past": pages_by_start(and_(_IS_OWN, IS_PAST), latest_first=True),
}


# The fields of BookedSession that are columns of a booking as they are.
_SAME_IN_SESSION = BookedSession.model_fields.keys() - {
    "service_id", "starts_at", "ends_at", "questions", "policy", "policy_digest"
}  # fmt: skip


async def bookings(session: AsyncSession, user_id: UUID, when: When, cursor: str | None) -> BookingsData:
    """Return a page of a user's bookings: the next first, of past ones the latest first. Raises ValidationFailed."""
    rows, more = await page_by_start(session, _PAGES[when], cursor, {"user": user_id, "now": clock.now()})
    return BookingsData(bookings=await bookings_data(session, rows), next_cursor=more)


async def page_by_start(
    session: AsyncSession, pages: BookingPages, cursor: str | None, values: dict[str, Any]
) -> tuple[Sequence[Booking], str | None]:
    """Return a page of bookings in the order of their start, and the cursor of the next. Raises ValidationFailed."""
    starts_at, last_id = parse_cursor(cursor)
    if starts_at is None:
        found = await session.scalars(pages.first, values)
    else:
        found = await session.scalars(pages.following, values | {"last_at": starts_at, "last_id": last_id})
    rows = found.all()
    page = rows[:PAGE_SIZE]
    more = encode_cursor(page[-1].starts_at, page[-1].id) if len(rows) > PAGE_SIZE else None
    return page, more


async def booking(session: AsyncSession, user_id: UUID, booking_id: UUID) -> BookingData:
    """Return a user's booking or request, also one that expired. Raises NotFound, also for a hold."""
    query = select(Booking).where(Booking.person_id == user_id, Booking.id == booking_id, WAS_SENT)
    found = await session.scalar(query.execution_options(populate_existing=True))
    if found is None:
        raise NotFound
    return (await bookings_data(session, [found]))[0]


async def booking_by_key(session: AsyncSession, user_id: UUID, key: str, digest: bytes) -> BookingData | None:
    """Return the booking that a user made under an idempotency key, or None.

    Raises KeyReused if it was made by another request.
    """
    query = select(Booking).where(Booking.person_id == user_id, Booking.idempotency_key == key)
    found = await session.scalar(query)
    if found is not None and found.digest != digest:
        raise KeyReused
    return booking_data(found) if found is not None else None


async def bookings_data(session: AsyncSession, bookings: Sequence[Booking]) -> list[BookingData]:
    """Return bookings in the form of the API, with their participants."""
    people = await participants_of(session, bookings)
    payments = await payments_data(session, bookings)
    return [booking_data(one, people.get(one.id, []), payments.get(one.id)) for one in bookings]


def booking_data(
    booking: Booking, people: Sequence[Participant] = (), payment: PaymentData | None = None
) -> BookingData:
    """Return a booking in the form of the API."""
    terms = terms_of(booking)
    return BookingData(
        **_session(booking),
        id=str(booking.id),
        series_id=str(booking.series_id) if booking.series_id else None,
        status=booking.status,
        place_text=booking.place_text if _is_place_known(booking) else "",
        address=booking.person_address,
        waiver_level=booking.waiver_level,
        waiver_id=str(booking.waiver_id) if booking.waiver_id else None,
        waiver_until=_iso(booking.waiver_until) if booking.waiver_until else None,
        waiver_due=_is_waiver_due(booking),
        people=[participant_data(one, booking, with_email=True) for one in people],
        participants=booking.participants,
        note=booking.note,
        answers=answers_data(booking),
        expires_at=_iso(booking.expires_at) if booking.expires_at else None,
        ended_by=booking.ended_by,
        reason=booking.reason,
        owed_cents=booking.owed_cents,
        package=used_package(booking),
        uses_up_package=bool(booking.package_sessions)
        and booking.status == "confirmed"
        and terms.free_until is None
        and booking.terms["late_percent"] > 0,
        proposal=proposal_data(booking),
        checked_in_at=_iso(booking.checked_in_at) if booking.checked_in_at else None,
        payment=payment,
        terms=CurrentTermsData(
            owed_cents=terms.owed_cents,
            late_cents=terms.late_cents,
            missed_cents=terms.missed_cents,
            free_until=_iso(terms.free_until) if terms.free_until else None,
            moves_left=terms.moves_left,
            move_until=_iso(terms.move_until) if terms.move_until else None,
            digest=terms.digest,
        ),
    )


def answers_data(booking: Booking) -> list[AnswerData]:
    """Return what the person answered to the guru's questions."""
    return [AnswerData(**one) for one in booking.answers]


def used_package(booking: Booking) -> UsedPackageData | None:
    """Return the package that a booking uses or used, or None."""
    if booking.package_grant_id is None:
        return None
    return UsedPackageData(
        id=str(booking.package_grant_id), name=booking.package_name, sessions=booking.package_sessions
    )


def proposal_data(booking: Booking) -> MoveProposalData | None:
    """Return the open proposal of the guru to move a booking, or None."""
    starts_at, until = booking.proposed_start, booking.proposed_until
    if starts_at is None or until is None or not is_open(booking, clock.now()):
        return None
    return MoveProposalData(starts_at=_iso(starts_at), answer_until=_iso(until), reason=booking.proposed_reason)


def _is_place_known(booking: Booking) -> bool:
    """Tell whether the person may see the guru's address or link: only who booked, not who asked."""
    return booking.status in ("confirmed", "completed", "missed") or booking.confirmed_at is not None


def _is_waiver_due(booking: Booking) -> bool:
    """Tell whether an open booking needs a waiver that is valid at its start, and has none."""
    return booking.status in ("requested", "confirmed") and lacks_waiver(booking)


def _session(booking: Booking) -> dict[str, Any]:
    return {name: getattr(booking, name) for name in _SAME_IN_SESSION} | {
        "service_id": str(booking.service_id),
        "starts_at": _iso(booking.starts_at),
        "ends_at": _iso(booking.ends_at),
        "questions": [QuestionData(**one) for one in booking.questions],
        "policy": PolicyData(**booking.terms),
        "policy_digest": booking.terms_digest.hex(),
    }


def _iso(moment: datetime) -> str:
    return clock.to_iso8601(moment)
