"""Book several sessions of a service at once, all or none. Afterwards each booking is independent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, ServiceWaiver, Waivers
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import check_participants, needed_address, needed_answers, wanted_package
from porchlight.features.bookings.errors import (
    ERRORS_OF_USERS,
    BookingChanged,
    HoldExpired,
    SeriesPartlyGone,
    SlotGone,
    WaiverTooShort,
)
from porchlight.features.bookings.find_hold import find_hold
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.participants.people import (
    ADD_PARTICIPANTS,
    NO_COVERAGE,
    Coverage,
    coverage,
    people_of,
)
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.series.schemas import SeriesPayload
from porchlight.features.bookings.starts import MAX_ATTEMPTS, WantedStart, find_starts, rejection
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.tokens import HoldToken
from porchlight.features.bookings.waivers import waiver_need
from sites.hours.cache import FreeStartsCache
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed


async def book_series(
    db: Database,
    cache: FreeStartsCache,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    token: HoldToken,
    payload: SeriesPayload,
    *,
    key: str,
    digest: bytes,
    cards: CardDesk,
) -> UUID:
    """Book a hold and further starts of its service in one transaction; return the id of the series.

    All sessions have the price and the terms of the hold, and the same people with the same links. Raises HoldExpired,
    AlreadyBooked, TooManyHolds, PolicyChanged, SlotGone, SeriesPartlyGone, WaiverRequired, WaiverExpired,
    WaiverTooShort, and ValidationFailed if the hold's own start is among the others, without the address of a session
    at the person's place or the answers that the guru needs, with more names than spots, or if someone is not named.
    """
    hold = await find_hold(db, token, user_id)
    if hold is None or hold.is_booked:
        raise HoldExpired
    check_participants(hold, payload.participants)
    address = needed_address(hold, payload.address)
    answers = needed_answers(hold, payload)
    held, service_id, starts = hold.booking, hold.booking.service_id, payload.starts
    if held.starts_at in starts:
        raise ValidationFailed(fields={"starts": "Choose each time once."})
    payment = await cards.wanted_payment(db, held)
    for attempt in range(MAX_ATTEMPTS):
        wanted = await _find_starts(db, cache, token.tenant_id, service_id, starts)
        async with unit_of_work(db, tenant_id=token.tenant_id, user_id=user_id) as session:
            level, covered = await _find_coverage(session, risk, waivers, user_id, held, payload)
            booked = commands.Booked(
                key=key, digest=digest, name=payload.name, participants=payload.participants, note=payload.note,
                address=address, zone=payload.known_zone, answers=answers,
            )  # fmt: skip
            command = commands.Book(
                booked=booked,
                policy=payload.policy_digest,
                rules_version=hold.rules_version,
                further=[one.seats_at(start) for one, start in zip(wanted, starts, strict=True)],
                package=wanted_package(payload),
                payment=payment,
            )
            needs = FactsQuery(
                token=token.digest,
                key=key,
                counted=held.person_id is None,
                service=service_id,
                starts=starts,
                waiver=covered.waiver.id if covered.waiver else None,
            )
            facts = await store.read_facts(session, needs)
            decision = decide(command, facts)
            if decision.refusal is None:
                _require_waivers(covered, held, starts)
                await store.apply(session, needs, facts, command)
                if covered.people:
                    ids = [held.id, *(one.booking_id for one in command.further)]
                    values = {"ids": ids, "level": level, "people": covered.people}
                    await session.execute(ADD_PARTICIPANTS, values)
                return held.id
            await store.apply(session, needs, facts, command)  # ends what is due
        if decision.refusal is RefusalReason.STALE:
            raise BookingChanged
        if decision.refusal is not RefusalReason.PARTLY_GONE:
            raise ERRORS_OF_USERS[decision.refusal]
        # The rules changed, or the first attempt ended expired holds, so that the times may be free now.
        if not any(
            decision.reasons.get(start) is RefusalReason.STALE and (one.is_offered or attempt == 0)
            for start, one in zip(starts, wanted, strict=True)
        ):
            break
    raise await _partly_gone(db, token.tenant_id, service_id, starts, wanted, decision)


async def _find_starts(
    db: Database, cache: FreeStartsCache, tenant_id: UUID, service_id: UUID, starts: Sequence[datetime]
) -> list[WantedStart]:
    try:
        return await find_starts(db, cache, tenant_id, service_id, starts)
    except NotFound:  # the service is closed
        raise SlotGone from None


async def _find_coverage(
    session: AsyncSession,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    held: Booking,
    payload: SeriesPayload,
) -> tuple[str, Coverage]:
    """Return the level of the waiver that the sessions need, "" for none, and how those who take part are covered.

    Raises ValidationFailed.
    """
    need = await waiver_need(session, risk, held)
    if not need.required:
        return "", NO_COVERAGE
    return need.level, await coverage(session, waivers, user_id, held, need, people_of(payload, held.party))


def _require_waivers(covered: Coverage, held: Booking, starts: Sequence[datetime]) -> None:
    """Raise WaiverRequired, WaiverExpired or WaiverTooShort unless each participant is covered in all sessions."""
    if covered.missing:
        raise covered.missing
    for waiver in covered.waivers:
        _check_waiver_covers(waiver, held, starts)


def _check_waiver_covers(waiver: ServiceWaiver, held: Booking, starts: Sequence[datetime]) -> None:
    """Raise WaiverTooShort unless the waiver is valid when each session starts."""
    late = [start for start in (held.starts_at, *starts) if start >= waiver.expires_at]
    if late:
        until = f"{waiver.expires_at:%b} {waiver.expires_at.day}, {waiver.expires_at.year}"
        raise WaiverTooShort(
            f"Your waiver is valid until {until}. Please choose sessions before then; you can book the others later.",
            fields={clock.to_iso8601(start): "Your waiver isn't valid then." for start in late},
        )


async def _partly_gone(
    db: Database,
    tenant_id: UUID,
    service_id: UUID,
    starts: Sequence[datetime],
    wanted: Sequence[WantedStart],
    decision: Decision,
) -> SeriesPartlyGone:
    """Return the error that names each start that cannot be booked, and why."""
    gone = {}
    for start, one in zip(starts, wanted, strict=True):
        reason = decision.reasons.get(start)
        if reason is RefusalReason.ALREADY_BOOKED:
            gone[clock.to_iso8601(start)] = ERRORS_OF_USERS[reason].message
        elif reason is not None:
            error = await rejection(db, tenant_id, service_id, start, one, reason)
            gone[clock.to_iso8601(start)] = error.message
    return SeriesPartlyGone(fields=gone)
