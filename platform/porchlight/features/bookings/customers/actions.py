"""Book sessions for customers who called the guru or came by, outside the limits for visitors.

The guru's notice and horizon don't apply. A time outside the hours, a busy time of a connected calendar, a full day and
a full session need a confirmation. A time at which the guru has a session or a block is refused: a person can't be in
two places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

from sqlalchemy import false, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import NO_ADDRESS
from porchlight.features.bookings.customers.schemas import CustomerBookingPayload, NeededConfirmation
from porchlight.features.bookings.errors import ConfirmationNeeded, require
from porchlight.features.bookings.guru.clients.known import known_client
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import IS_OPEN, Booking
from porchlight.features.bookings.participants.people import ADD_PARTICIPANTS
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.waivers import waiver_need
from porchlight.personal_links import CustomerLink
from sites.hours.actions import TimeTaken
from sites.hours.models import BookingSettings, Calendar
from sites.hours.queries import check_starts
from sites.hours.questions import QuestionAnswer, kept_answers, to_questions
from sites.hours.session_schedule import NotOffered
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.kit.zones import local_time

MAX_DAYS_AHEAD = 731
_SET_USER = text("SELECT set_config('app.user_id', :user, true)")
_OUTSIDE = frozenset(
    {NotOffered.CLOSED, NotOffered.OUTSIDE_HOURS, NotOffered.ENDS_AFTER_HOURS, NotOffered.NO_SESSION, NotOffered.PAUSED}
)
WARNINGS: dict[NeededConfirmation, str] = {
    "outside_hours": "This is outside the times at which you take bookings.",
    "day_full": "You already have as many sessions that day as you want.",
    "busy_elsewhere": "One of your connected calendars has something then.",
    "over_capacity": "The session has fewer free spots than that.",
}
_DAY = timedelta(days=1)


async def book_customer(console: ConsoleContext, link: CustomerLink, payload: CustomerBookingPayload) -> UUID:
    """Book a session for a customer, and return the booking's id. The same request under the same link changes nothing.

    Raises NotFound for an unknown service or client, ValidationFailed, ConfirmationNeeded with the warnings that the
    guru has not confirmed, TimeTaken, OthersWait, SessionFull, AlreadyBooked, PackageChanged, TooManyCustomers,
    KeyReused.
    """
    service_id = parse_id_or_404(payload.service_id)
    zone = await _check(console, service_id, payload)
    confirmed = frozenset(payload.confirmed)
    left = [one for one in await _warnings(console, service_id, payload) if one not in confirmed]
    if left and not await _is_booked(console, link):
        raise ConfirmationNeeded(fields={str(one): WARNINGS[one] for one in left})
    starts_at = payload.starts_at
    wanted = commands.WantedSeats(
        service_id=service_id,
        starts_at=starts_at,
        local_start=local_time(starts_at, zone),
        day=(starts_at, starts_at),  # the guru's limit of a day does not apply
        rules_version=-1,  # nor do their hours
    )
    booked = commands.Booked(
        key=str(link.token), digest=content_digest(payload.model_dump_json()), name=payload.name,
        participants=payload.participants, note=payload.note, address=payload.address,
    )  # fmt: skip
    grant_id = parse_id_or_404(payload.package_id) if payload.package_id else None
    needs = FactsQuery(
        ids=[grant_id] if grant_id else [], service=service_id, starts=[starts_at], customer=link.token,
    )  # fmt: skip
    async with console.unit_of_work(acting=True) as session:
        facts = await store.read_facts(session, needs)
        if not any(one.is_key for one in facts.bookings):  # not sent again
            booked = replace(booked, answers=await _answers(session, console.tenant_id, service_id, payload))
        grant = next((one for one in facts.grants if one.id == grant_id), None)
        if grant_id and (grant is None or not grant.is_customer):
            raise NotFound
        person = grant.person_id if grant else uuid4()
        recent, of_address = await _recent(session, console.tenant_id, payload.email)
        client_id = await known_client(session, console.tenant_id, payload, person if grant else None)
        command = commands.BookCustomer(
            id=new_id(), seats=wanted, person_id=person, token=link.token, party=payload.party, email=payload.email,
            booked=booked, over_capacity="over_capacity" in confirmed, recent=recent, recent_of_address=of_address,
            package=commands.WantedPackage(id=grant.id, sessions=payload.party) if grant else None,
            is_seated=grant is not None and await _is_seated(session, console.tenant_id, person, payload),
            client_id=client_id,
        )  # fmt: skip
        decision = await store.apply(session, needs, facts, command)
        if decision.refusal is RefusalReason.SESSION_FULL:
            raise ConfirmationNeeded(fields={"over_capacity": WARNINGS["over_capacity"]})
        if decision.refusal is RefusalReason.SLOT_TAKEN:
            raise TimeTaken
        require(decision.refusal)
        booking = await find_booking(session, console.tenant_id, decision.booking_id or command.id)
        if booking.id == command.id:  # not sent again
            await _add_participants(console, session, booking, payload)
    return booking.id


async def _answers(
    session: AsyncSession, tenant_id: UUID, service_id: UUID, payload: CustomerBookingPayload
) -> list[QuestionAnswer]:
    """Return the answers to keep, under the lock of the calendar. The guru may leave questions open.

    Raises ValidationFailed.
    """
    query = select(BookingSettings.questions).where(
        BookingSettings.tenant_id == tenant_id, BookingSettings.service_id == service_id
    )
    questions = to_questions(await session.scalar(query) or [])
    return kept_answers(questions, [one.kept() for one in payload.answers], is_optional=True)


async def _recent(session: AsyncSession, tenant_id: UUID, email: str) -> tuple[int, int]:
    """Return how many customers the guru booked within a day, and how many with this address."""
    is_of_address = Booking.customer_email == email if email else false()
    query = select(func.count(), func.count().filter(is_of_address)).where(
        Booking.tenant_id == tenant_id, Booking.customer_token.is_not(None), Booking.created_at > clock.now() - _DAY
    )
    in_all, of_address = (await session.execute(query)).one()
    return in_all, of_address


async def _is_seated(session: AsyncSession, tenant_id: UUID, person_id: UUID, payload: CustomerBookingPayload) -> bool:
    """Return whether a customer has a spot in the session."""
    query = select(Booking.id).where(
        Booking.tenant_id == tenant_id, Booking.person_id == person_id, Booking.starts_at == payload.starts_at, IS_OPEN
    )
    return await session.scalar(query.limit(1)) is not None


async def _is_booked(console: ConsoleContext, link: CustomerLink) -> bool:
    """Return whether the link has a booking: the request was sent before, so the warnings are about itself."""
    query = select(Booking.id).where(Booking.tenant_id == console.tenant_id, Booking.customer_token == link.token)
    async with console.unit_of_work(acting=True) as session:
        return await session.scalar(query) is not None


async def _check(console: ConsoleContext, service_id: UUID, payload: CustomerBookingPayload) -> str:
    """Return the calendar's zone. Raises NotFound for a service without settings, and ValidationFailed."""
    if payload.starts_at > clock.now() + timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(fields={"startsAt": "Choose a time within the next two years."})
    if len(payload.participants) > payload.party:
        raise ValidationFailed(fields={"participants": f"Enter up to {payload.party} names."})
    query = select(BookingSettings.place, Calendar.zone).where(
        BookingSettings.tenant_id == console.tenant_id,
        BookingSettings.service_id == service_id,
        Calendar.tenant_id == BookingSettings.tenant_id,
    )
    async with console.unit_of_work(acting=True) as session:
        found = (await session.execute(query)).one_or_none()
    if found is None:
        raise NotFound
    if found.place == "person" and not payload.address:
        raise ValidationFailed(fields={"address": NO_ADDRESS})
    zone: str = found.zone
    return zone


async def _warnings(
    console: ConsoleContext, service_id: UUID, payload: CustomerBookingPayload
) -> Sequence[NeededConfirmation]:
    """Return what the guru has to confirm. A session that visitors could book now needs nothing."""
    try:
        _, (found,) = await check_starts(
            console.app_context.db, console.tenant_id, service_id, [payload.starts_at], without=[], has_notice=False
        )
    except NotFound:  # not open for booking
        return ["outside_hours"]
    if found.reason is NotOffered.FULL or (found.reason is None and found.seats < payload.party):
        return ["over_capacity"]
    if found.reason is NotOffered.BUSY_ELSEWHERE:
        return ["busy_elsewhere"]
    if found.reason is NotOffered.DAY_MAX:
        return ["day_full"]
    return ["outside_hours"] if found.reason in _OUTSIDE else []


async def _add_participants(
    console: ConsoleContext, session: AsyncSession, booking: Booking, payload: CustomerBookingPayload
) -> None:
    """Give everyone who comes a link on which they sign, if the session needs waivers.

    The customer's own is emailed. Raises ValidationFailed unless all are named.
    """
    need = await waiver_need(session, console.app_context.risk, booking)
    if not need.required:
        return
    names = payload.participants or [payload.name]
    if len(names) != payload.party:
        message = f"Each person needs a waiver. Please enter the names of all {payload.party} people."
        raise ValidationFailed(fields={"participants": message})
    people = [
        {
            "name": name, "signer": "link", "signer_id": str(new_id()), "token": str(uuid4()),
            "email": payload.email if number == 0 else "",
        }
        for number, name in enumerate(names)
    ]  # fmt: skip
    await session.execute(_SET_USER, {"user": str(booking.person_id)})
    await session.execute(ADD_PARTICIPANTS, {"ids": [booking.id], "level": need.level, "people": people})
    await session.execute(_SET_USER, {"user": ""})
