"""Give packages, change them, and use them for what is booked: decided without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from porchlight.features.bookings.changes import GrantUpdate, NewGrant
from porchlight.features.bookings.commands import (
    CoverBooking,
    ExtendPackage,
    GrantPackage,
    TakeBackSessions,
    WantedPackage,
)
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.facts import GrantSnapshot
from porchlight.features.bookings.packages.coverage import covered_by
from porchlight.features.bookings.packages.sales import settled_after, unused_refund
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.states import Actor, Status

MAX_OF_PERSON = 10  # that have sessions left, with one guru
MAX_GRANTED = 100  # within a day, because each sends an email
MAX_AHEAD = timedelta(days=1100)  # from now, until which a package can last


def use_package(draft: CalendarDraft, wanted: WantedPackage, booking_ids: Sequence[UUID]) -> None:
    """Use a package for as many of the bookings as it covers.

    Raises CommandRefused if these are not as many sessions as the person saw: someone who books with the last session
    of a package twice at once learns it, instead of getting a session at full price.
    """
    grant = draft.grants.get(wanted.id)
    covered = covered_by(grant, [draft.bookings[id_] for id_ in booking_ids]) if grant else []
    if grant is None or not covered or sum(one.party for one in covered) != wanted.sessions:
        raise CommandRefused(RefusalReason.PACKAGE_CHANGED)
    for one in covered:
        draft.use_package(one, draft.grants[grant.id])


def grant_package(draft: CalendarDraft, command: GrantPackage) -> UUID:
    """Give a package to the person of a booking. Return its id."""
    if command.of_person >= MAX_OF_PERSON or command.recent >= MAX_GRANTED:
        raise CommandRefused(RefusalReason.TOO_MANY_PACKAGES)
    draft.change.packages.append(
        NewGrant(
            id=command.id, package_id=command.package_id, booking_id=command.booking_id, granted=command.sessions,
            expires_at=command.expires_at, idempotency_key=command.key, digest=command.digest,
        )
    )  # fmt: skip
    return command.id


def cover_booking(draft: CalendarDraft, command: CoverBooking) -> None:
    """Use a package for a confirmed session ahead that uses none. The session then costs nothing more."""
    booking = draft.booking(command.id)
    is_ahead = booking.status is Status.CONFIRMED and booking.starts_at > draft.facts.now
    if not is_ahead or booking.grant_id is not None:
        raise CommandRefused(RefusalReason.PACKAGE_CHANGED)
    use_package(draft, command.package, [booking.id])


def extend_package(draft: CalendarDraft, command: ExtendPackage) -> None:
    """Let a package last longer. One with no session left has nothing to extend, and none gets shorter."""
    grant = _grant(draft, command.id)
    if command.expires_at == grant.expires_at:
        return
    if not is_extension(grant.expires_at, command.expires_at, draft.facts.now) or not grant.left_over:
        raise CommandRefused(RefusalReason.PACKAGE_GONE)
    _update(draft, grant, {"expires_at": command.expires_at}, "extended", {"until": command.expires_at})


def is_extension(expires_at: datetime, wanted: datetime, now: datetime) -> bool:
    """Return whether a package that ends at `expires_at` can be extended to `wanted`."""
    return max(expires_at, now) < wanted <= now + MAX_AHEAD


def take_back_sessions(draft: CalendarDraft, command: TakeBackSessions) -> None:
    """Take back sessions that no booking uses. What was paid for them goes back to the card."""
    grant = _grant(draft, command.id)
    if grant.left_over != command.left_over or not 1 <= command.sessions <= grant.left_over:
        raise CommandRefused(RefusalReason.PACKAGE_GONE)
    if grant.payment is not None and grant.payment.is_disputed:
        raise CommandRefused(RefusalReason.PAYMENT_DISPUTED)
    values = {
        "left_over": grant.left_over - command.sessions, "taken_back": grant.taken_back + command.sessions,
    }  # fmt: skip
    details: dict[str, Any] = {"sessions": command.sessions, "reason": command.reason}
    if grant.payment is not None and (shares := unused_refund(grant, command.sessions)):
        draft.refund(grant.payment, shares, "taken_back", Actor.GURU)
        values["settled"] = settled_after(grant, command.sessions)
        details["cents"] = shares.amount_cents
    _update(draft, grant, values, "taken_back", details)


def _grant(draft: CalendarDraft, id_: UUID) -> GrantSnapshot:
    found = draft.grants.get(id_)
    if found is None:
        raise CommandRefused(RefusalReason.PACKAGE_GONE)
    return found


def _update(
    draft: CalendarDraft, grant: GrantSnapshot, values: dict[str, Any], event: str, details: dict[str, Any]
) -> None:
    draft.grants[grant.id] = replace(grant, **values)
    draft.change.packages.append(GrantUpdate(id=grant.id, values=values, event=event, details=details))
