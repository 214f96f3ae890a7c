"""Hold, book and cancel. Each change is written under the lock of the guru's calendar (docs/bookings.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, Waivers
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import ERRORS_OF_USERS, BookingChanged, PartyTooLarge, require
from porchlight.features.bookings.facts import Facts, to_facts
from porchlight.features.bookings.find_hold import FoundHold, hold_statement, to_hold
from porchlight.features.bookings.lifecycle import Decision
from porchlight.features.bookings.models import WAS_SENT, Booking
from porchlight.features.bookings.participants.people import (
    ADD_PARTICIPANTS,
    NO_COVERAGE,
    Coverage,
    coverage,
    people_of,
)
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.schemas import BookingPayload
from porchlight.features.bookings.starts import MAX_ATTEMPTS, rejection, to_wanted_start
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.terms import CurrentTerms, terms_at
from porchlight.features.bookings.tokens import HoldToken
from porchlight.features.bookings.waivers import rate_need
from sites.hours import queries as hours
from sites.hours.questions import QuestionAnswer, kept_answers, to_questions
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import new_id, parse_id_or_404

_OWN_TENANT = (
    "SELECT tenant_id FROM bookings WHERE person_id = %(user)s AND id = %(id)s AND idempotency_key IS NOT NULL"
)
ONE_SPOT = "You chose one spot. Choose more spots to bring others."
NO_ADDRESS = "Enter the address where you'd like to meet."
# Whether the user has another session at that time, with any guru. It is read before the hold is made.
_OVERLAPS = """
SELECT EXISTS (
  SELECT FROM services s
    JOIN bookings b ON b.person_id = %(user)s AND b.status IN ('held', 'requested', 'confirmed')
     AND b.starts_at < %(starts_at)s + make_interval(mins => s.duration_minutes) AND b.ends_at > %(starts_at)s
     AND b.hold_hash IS DISTINCT FROM %(token)s
   WHERE s.tenant_id = app.tenant_id() AND s.id = %(service)s)"""
_LOCK_CALENDAR = text("SELECT 1 FROM app.lock_calendar()")
_SET_TENANT = text("SELECT set_config('app.tenant_id', :tenant, true)")


@dataclass(frozen=True, slots=True)
class Hold:
    """A hold that was made. `overlaps`: the user has another booking at that time."""

    expires_at: datetime
    overlaps: bool


async def hold_seat(
    db: Database,
    token: HoldToken,
    *,
    user_id: UUID | None,
    service_id: UUID,
    starts_at: datetime,
    party: int,
    address: bytes,
) -> Hold:
    """Keep seats for ten minutes, for a user or a visitor. The same token again returns the same hold.

    Raises NotFound, SlotGone, SlotTaken, SessionFull, TooSoon, PartyTooLarge, AlreadyBooked, TooManyHolds,
    NetworkHolds, UnverifiedNetworkHolds, HoldsExhausted, UnverifiedHolds.
    """
    tenant_id = token.tenant_id
    needs = FactsQuery(
        token=token.digest, service=service_id, starts=[starts_at], counted=True, address=address,
    )  # fmt: skip
    start, of_start = hours.start_statement(tenant_id, service_id, starts_at=starts_at)
    facts, of_facts = needs.statement()
    # One statement, so that all three are of one moment.
    query = f"SELECT s.*, ({facts}), ({_OVERLAPS}) FROM ({start}) s"  # noqa: S608 - constants only
    params = {**of_start, **of_facts, "user": user_id}
    for _ in range(MAX_ATTEMPTS):
        rows = await db.read(tenant_id, query, params, user_id=user_id)
        if not rows:
            raise NotFound
        ((*found, answer, overlaps),) = rows
        wanted = to_wanted_start([found], starts_at)
        command = commands.HoldSeats(
            id=new_id(), seats=wanted.seats_at(starts_at), party=party, token=token.digest, address=address,
            max_of_visitors=max(wanted.starts_of_day // 2, 1),
        )  # fmt: skip
        result = await store.write(db, tenant_id, needs, to_facts(answer), command, user_id=user_id)
        if result is None:  # others changed the calendar meanwhile: another read would wait behind theirs
            result = await store.run_locked(db, tenant_id, needs, command, user_id=user_id)
        decision = result.decision
        if decision.held_until is not None:
            return Hold(decision.held_until, overlaps)
        # What was due has ended, so the time may be free now.
        if decision.refusal is not RefusalReason.STALE or not (wanted.is_offered or decision.change):
            break
    refusal = decision.refusal or RefusalReason.STALE
    if refusal is RefusalReason.PARTY_TOO_LARGE:
        raise PartyTooLarge(f"You can book up to {wanted.rules.terms.party_max} spots at once.")
    if user_id is not None and refusal in (RefusalReason.ADDRESS_LIMIT, RefusalReason.VISITOR_LIMIT):
        raise ERRORS_OF_USERS[refusal]
    raise await rejection(db, token.tenant_id, service_id, starts_at, wanted, refusal)


async def release_hold(db: Database, token: HoldToken, user_id: UUID | None) -> None:
    """Give up a hold. Nothing happens if it is none any more."""
    needs = FactsQuery(token=token.digest)
    await store.run(db, token.tenant_id, needs, commands.Release(), user_id=user_id)


async def create_booking(
    db: Database,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    token: HoldToken,
    payload: BookingPayload,
    *,
    key: str,
    cards: CardDesk,
) -> Booking:
    """Book a hold, or ask the guru for it if they decide. The same request under the same key changes nothing.

    One that is paid by card stays a hold until `payments.settlement` has its payment.

    The user and their minors need waivers; others sign with links later. Raises HoldExpired, PolicyChanged,
    WaiverRequired, WaiverExpired, AlreadyBooked, TooManyHolds, BookingChanged if the guru keeps changing the rules,
    PackageChanged,
    KeyReused for another request under the key, and ValidationFailed without the address of a session at the
    person's place or the answers that the guru needs, with more names than spots, or if someone is not named.
    """
    needs = FactsQuery(token=token.digest, key=key)
    for _ in range(MAX_ATTEMPTS):
        found, ((answer,),) = await db.read_together(
            token.tenant_id, [hold_statement(token), needs.statement()], user_id=user_id
        )
        hold = to_hold(found)
        check_participants(hold, payload.participants)
        address = needed_address(hold, payload.address)
        answers = needed_answers(hold, payload)
        zone = payload.known_zone if hold and not hold.is_booked else ""  # a resend keeps both as they are
        level, covered = await _find_coverage(db, risk, waivers, user_id, hold, payload)
        booked = commands.Booked(
            key=key, digest=content_digest(payload.model_dump_json()), name=payload.name,
            participants=payload.participants, note=payload.note, address=address, zone=zone, answers=answers,
        )  # fmt: skip
        command = commands.Book(
            booked=booked,
            policy=payload.policy_digest,
            rules_version=hold.rules_version if hold else -1,
            needs_waiver=bool(covered.waivers or covered.missing),
            package=wanted_package(payload),
            payment=await cards.wanted_payment(db, hold.booking) if hold else None,
        )
        more = replace(
            needs,
            counted=hold is not None and hold.booking.person_id is None,
            waiver=covered.waiver.id if covered.waiver and not covered.missing else None,
        )
        facts = to_facts(answer) if more == needs else None
        decision, booking = await _book(db, token.tenant_id, user_id, more, facts, command, level, covered)
        if booking is not None:
            return booking
        if decision.refusal is not RefusalReason.STALE:  # the guru changed the rules meanwhile
            break
    if decision.refusal is RefusalReason.STALE:  # the hold is still the user's
        raise BookingChanged
    if decision.refusal is RefusalReason.WAIVER_REQUIRED and covered.missing:
        raise covered.missing
    raise ERRORS_OF_USERS[decision.refusal or RefusalReason.STALE]


def check_participants(hold: FoundHold | None, names: Sequence[str]) -> None:
    """Raise ValidationFailed for more names than the hold has spots. The names may have the user's, or not."""
    if hold is None or hold.is_booked or len(names) <= hold.booking.party:
        return
    spots = hold.booking.party
    message = f"You chose {spots} spots. Enter up to {spots} names." if spots > 1 else ONE_SPOT
    raise ValidationFailed(fields={"participants": message})


def needed_answers(hold: FoundHold | None, payload: BookingPayload) -> list[QuestionAnswer]:
    """Return the answers to keep with a booking. Raises ValidationFailed for those that its questions don't take."""
    if hold is None or hold.is_booked:
        return []
    return kept_answers(to_questions(hold.booking.questions), [one.kept() for one in payload.answers])


def wanted_package(payload: BookingPayload) -> commands.WantedPackage | None:
    """Return the package that the user wants to use, or None. Raises NotFound for no id of one."""
    if payload.package is None:
        return None
    return commands.WantedPackage(id=parse_id_or_404(payload.package.id), sessions=payload.package.sessions)


def needed_address(hold: FoundHold | None, given: str) -> str:
    """Return the address to keep with a booking: "" unless the session is at the person's place.

    Raises ValidationFailed if it is missing.
    """
    if hold is None or hold.is_booked or hold.booking.place != "person":
        return ""
    if not given:
        raise ValidationFailed(fields={"address": NO_ADDRESS})
    return given


async def _book(
    db: Database,
    tenant_id: UUID,
    user_id: UUID,
    needs: FactsQuery,
    facts: Facts | None,
    command: commands.Book,
    level: str,
    covered: Coverage,
) -> tuple[Decision, Booking | None]:
    """Book a hold, and keep who takes part in a session that needs waivers. `facts`: those of the needs, if known."""
    if not covered.people:
        result = None
        if facts is not None:
            result = await store.write(db, tenant_id, needs, facts, command, user_id=user_id, returns_booking=True)
        if result is None:
            result = await store.run(db, tenant_id, needs, command, user_id=user_id, returns_booking=True)
        return result.decision, result.booking
    async with unit_of_work(db, tenant_id=tenant_id, user_id=user_id) as session:
        decision = await store.run_in(session, needs, command)
        if decision.booking_id is None:
            return decision, None
        values = {"ids": [decision.booking_id], "level": level, "people": covered.people}
        await session.execute(ADD_PARTICIPANTS, values)
        return decision, await own_booking(session, user_id, decision.booking_id)


async def _find_coverage(
    db: Database,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    hold: FoundHold | None,
    payload: BookingPayload,
) -> tuple[str, Coverage]:
    """Return the level of the waiver that a hold needs, "" for none, and how those who take part are covered."""
    if hold is None or hold.booking.status != "held":
        return "", NO_COVERAGE
    need = await rate_need(risk, hold.waiver_rules, hold.booking.service_name)
    if not need.required:
        return "", NO_COVERAGE
    people = people_of(payload, hold.booking.party)
    async with unit_of_work(db, user_id=user_id) as session:
        return need.level, await coverage(session, waivers, user_id, hold.booking, need, people)


async def own_booking(session: AsyncSession, user_id: UUID, booking_id: UUID) -> Booking:
    """Return a user's booking, and set its guru as the transaction's tenant. Raises NotFound, also for a hold."""
    query = select(Booking).where(Booking.person_id == user_id, Booking.id == booking_id, WAS_SENT)
    booking = await session.scalar(query.execution_options(populate_existing=True))
    if booking is None:
        raise NotFound
    await set_tenant(session, booking.tenant_id)
    return booking


async def set_tenant(session: AsyncSession, tenant_id: UUID | None) -> None:
    """Set the transaction's tenant to the guru of one of the user's rows, or to none."""
    await session.execute(_SET_TENANT, {"tenant": str(tenant_id or "")})


async def lock_calendar(session: AsyncSession) -> None:
    """Lock the calendar of the transaction's tenant."""
    await session.execute(_LOCK_CALENDAR)


def terms_of(booking: Booking) -> CurrentTerms:
    """Return the terms of a booking that apply now."""
    return terms_at(booking, clock.now())


async def cancel_booking(db: Database, user_id: UUID, booking_id: UUID, *, terms_digest: str, reason: str) -> None:
    """Cancel a user's booking or request. Its seats are free at once.

    Raises NotFound, BookingChanged, and TermsChanged if the user saw other terms than those that apply now.
    """
    command = commands.Cancel(id=booking_id, actor=Actor.PERSON, reason=reason, terms_digest=terms_digest)
    await run_for_user(db, user_id, booking_id, command)


async def run_for_user(
    db: Database, user_id: UUID, booking_id: UUID, command: commands.Command, *, series: bool = False
) -> None:
    """Carry out a command on a user's booking, in three round trips. Raises NotFound, and the errors of refusals."""
    tenant_id = await db.read_value(UUID, None, _OWN_TENANT, {"user": user_id, "id": booking_id}, user_id=user_id)
    if tenant_id is None:
        raise NotFound
    needs = FactsQuery(ids=[booking_id], series=series)
    result = await store.run(db, tenant_id, needs, command, user_id=user_id)
    require(result.decision.refusal)
