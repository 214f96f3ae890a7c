"""Keep seats, book them, or give them up: decided without a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.bookings.changes import NewHold
from porchlight.features.bookings.commands import Book, Booked, HoldSeats, Release
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.expiry import HOLD, request_until
from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.limits import MAX_OWN_HOLDS, limit_reached, share_of_address
from porchlight.features.bookings.packages.lifecycle import use_package
from porchlight.features.bookings.payments.amounts import is_paid_by_card
from porchlight.features.bookings.payments.lifecycle import PAYMENT_HOLD, begin
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.seats import take
from porchlight.features.bookings.states import Actor, Status


def hold(draft: CalendarDraft, command: HoldSeats) -> UUID:
    """Keep seats for ten minutes. Return the id of the hold."""
    facts, wanted = draft.facts, command.seats
    service = facts.service(wanted.service_id)
    if service is not None and service.open and command.party > service.party_max:
        raise CommandRefused(RefusalReason.PARTY_TOO_LARGE)
    named = next((one for one in draft.bookings.values() if one.is_token), None)
    if named is not None and named.status is Status.HELD:
        return named.id  # the same request, sent again
    _check_limits(draft, command)
    service, session = take(draft, wanted, command.party)
    if facts.user_id is not None and facts.user_id in session.seated:
        raise CommandRefused(RefusalReason.ALREADY_BOOKED)
    if named is not None:  # that hold has expired
        draft.update(named, {"hold_hash": None})
    draft.add_hold(
        session,
        service,
        NewHold(
            id=command.id,
            appointment_id=session.id,
            person_id=facts.user_id,
            party=command.party,
            token=command.token,
            address=command.address,
            expires_at=facts.now + HOLD,
        ),
    )
    _displace(draft, command)
    return command.id


def release(draft: CalendarDraft, _command: Release) -> None:
    """Give up a hold. Nothing happens if it is none any more."""
    held = _named_hold(draft)
    if held is not None:
        draft.set_status(held, Status.EXPIRED, Actor.PERSON)


def book(draft: CalendarDraft, command: Book) -> UUID:
    """Book a hold and further starts as a series, or ask the guru for them. Return the id of the first booking."""
    facts, booked = draft.facts, command.booked
    if (resent := resent_booking(draft, booked)) is not None:
        return resent
    held = _named_hold(draft)
    if held is None or facts.user_id is None:
        raise CommandRefused(RefusalReason.HOLD_EXPIRED)
    if held.is_sent:
        return held.id  # it waits for its payment
    _check_booking(draft, held, facts.user_id, command)
    series_id = held.id if command.further else None
    made = [held.id, *(one.id for one in _hold_further(draft, held, facts.user_id, command))]
    sent = {
        id_: _sent_values(draft, draft.bookings[id_], booked, series_id=series_id, is_first=id_ == held.id)
        for id_ in made
    }
    if command.package is not None and any(is_paid_by_card(draft.bookings[id_]) for id_ in made):
        for id_ in made:  # which of them the package covers decides how much is paid
            draft.update(draft.bookings[id_], sent.pop(id_))
        use_package(draft, command.package, made)
    to_pay = [id_ for id_ in made if is_paid_by_card(draft.bookings[id_])]
    for id_ in made:
        if id_ in to_pay:
            values = {**sent.get(id_, {}), "expires_at": facts.now + PAYMENT_HOLD}
            draft.update(draft.bookings[id_], values)
            draft.bookings[id_] = replace(draft.bookings[id_], is_sent=True)
        else:
            _confirm(draft, draft.bookings[id_], sent.get(id_, {}))
    if to_pay:
        begin(draft, to_pay, command.payment)
    elif command.package is not None and sent:  # last, because the further holds copy the price of the first
        use_package(draft, command.package, made)
    return held.id


def resent_booking(draft: CalendarDraft, booked: Booked) -> UUID | None:
    """Return the booking of a request that is sent again. Raises CommandRefused for another request under its key."""
    found = next((one for one in draft.bookings.values() if one.is_key), None)
    if found is None:
        return None
    if found.digest != booked.digest.hex():
        raise CommandRefused(RefusalReason.REQUEST_REUSED)
    return found.id


def _named_hold(draft: CalendarDraft) -> BookingSnapshot | None:
    """Return the open hold that the command names by its token, unless it is another user's."""
    found = next((one for one in draft.bookings.values() if one.is_token), None)
    if found is None or found.status is not Status.HELD or found.person_id not in (None, draft.facts.user_id):
        return None
    return found


def _check_limits(draft: CalendarDraft, command: HoldSeats) -> None:
    facts = draft.facts
    if facts.calendar is None or facts.calendar.rules_version != command.seats.rules_version:
        return  # the start is refused
    day = command.seats.day
    limit = limit_reached(
        facts.usage, day, has_account=facts.user_id is not None, max_of_visitors=command.max_of_visitors
    )
    if limit:
        raise CommandRefused(RefusalReason(limit))


def _displace(draft: CalendarDraft, command: HoldSeats) -> None:
    """End the oldest holds of visitors at the same network address, beyond its share of the day."""
    usage = draft.facts.usage
    if usage.is_verified:
        return
    at_address = [one.id for one in usage.on(command.seats.day) if one.is_address]
    for id_ in at_address[share_of_address(command.max_of_visitors) - 1 :]:
        displaced = draft.bookings[id_]
        if displaced.status is Status.HELD:
            draft.set_status(displaced, Status.EXPIRED, Actor.SYSTEM)


def _check_booking(draft: CalendarDraft, held: BookingSnapshot, user_id: UUID, command: Book) -> None:
    """Refuse a booking on other terms or rules than the user saw, without a waiver, or beyond the limit of holds."""
    facts = draft.facts
    if held.terms_digest != command.policy:
        raise CommandRefused(RefusalReason.POLICY_CHANGED)
    if facts.calendar is None or facts.calendar.rules_version != command.rules_version:
        raise CommandRefused(RefusalReason.STALE)
    if facts.calendar.is_blocked:
        raise CommandRefused(RefusalReason.SLOT_GONE)  # the same answer as for a time that is not offered
    if command.needs_waiver and (facts.waiver is None or facts.waiver.expires_at <= facts.now):
        raise CommandRefused(RefusalReason.WAIVER_REQUIRED)
    if held.person_id is not None:
        return
    if facts.usage.own_held >= MAX_OWN_HOLDS:
        raise CommandRefused(RefusalReason.OWN_LIMIT)
    if user_id in draft.sessions[held.appointment_id].seated:
        raise CommandRefused(RefusalReason.ALREADY_BOOKED)


def _hold_further(draft: CalendarDraft, first: BookingSnapshot, user_id: UUID, command: Book) -> list[BookingSnapshot]:
    """Hold the further starts of a series, all or none, with the terms of the first one."""
    made = []
    reasons: dict[datetime, RefusalReason] = {}
    for wanted in command.further:
        try:
            service, session = take(draft, wanted, first.party)
            if user_id in session.seated:
                raise CommandRefused(RefusalReason.ALREADY_BOOKED)
        except CommandRefused as refused:
            reasons[wanted.starts_at] = refused.refusal
            continue
        new = NewHold(
            id=wanted.booking_id, appointment_id=session.id, person_id=user_id, party=first.party,
            expires_at=first.expires_at or draft.facts.now, like=first.id,
        )  # fmt: skip
        made.append(draft.add_hold(session, service, new))
    if reasons:
        raise CommandRefused(RefusalReason.PARTLY_GONE, reasons)
    return made


def _sent_values(
    draft: CalendarDraft, held: BookingSnapshot, booked: Booked, *, series_id: UUID | None, is_first: bool
) -> dict[str, Any]:
    """Return what the person entered, which is kept with their hold."""
    facts, waiver = draft.facts, draft.facts.waiver
    return {
        "person_id": facts.user_id,
        "waiver_level": waiver.level if waiver else "",
        "waiver_id": waiver.id if waiver else None,
        "waiver_until": waiver.expires_at if waiver else None,
        "person_name": booked.name,
        "participants": list(booked.participants),
        "note": booked.note,
        "answers": [asdict(one) for one in booked.answers],
        "person_address": booked.address if held.place == "person" else "",
        "person_zone": booked.zone,
        "series_id": series_id,
        "idempotency_key": booked.key if is_first else str(held.id),
        "digest": booked.digest,
    }


def _confirm(draft: CalendarDraft, held: BookingSnapshot, sent: Mapping[str, Any]) -> None:
    facts = draft.facts
    is_request = held.approval == "request"
    draft.set_status(
        held,
        Status.REQUESTED if is_request else Status.CONFIRMED,
        Actor.PERSON,
        expires_at=request_until(facts.now, held.starts_at) if is_request else None,
        confirmed_at=None if is_request else facts.now,
        **sent,
    )
