"""Which email goes out when a booking changes, and to which side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from porchlight.features.bookings.emails.texts import Side
from porchlight.features.bookings.states import Status


class EmailKind(StrEnum):
    """An email about a change of a booking. The reminders are the job's (`deadlines`)."""

    REQUESTED = "requested"
    BOOKED = "booked"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    CANCELED = "canceled"
    MOVED = "moved"
    CLOCKS_CHANGED = "clocks_changed"
    PLACE_CHANGED = "place_changed"
    ADDRESS_CHANGED = "address_changed"
    PROPOSED = "proposed"
    PROPOSAL_WITHDRAWN = "proposal_withdrawn"
    PROPOSAL_EXPIRED = "proposal_expired"
    PROPOSAL_LAPSED = "proposal_lapsed"
    MOVE_ACCEPTED = "move_accepted"
    MOVE_DECLINED = "move_declined"
    SPOT_FREE = "spot_free"
    PERSON_SAID_NO = "person_said_no"
    GURU_SAID_NO = "guru_said_no"
    CLAIMED = "claimed"
    CHARGED = "charged"
    CHARGE_FAILED = "charge_failed"


# By the status before and after. A held seat that is released or expires is no news.
BY_STATUS: Mapping[tuple[Status, Status], EmailKind] = {
    (Status.HELD, Status.REQUESTED): EmailKind.REQUESTED,
    (Status.HELD, Status.CONFIRMED): EmailKind.BOOKED,
    (Status.EXPIRED, Status.REQUESTED): EmailKind.REQUESTED,
    (Status.EXPIRED, Status.CONFIRMED): EmailKind.BOOKED,
    (Status.REQUESTED, Status.CONFIRMED): EmailKind.ACCEPTED,
    (Status.REQUESTED, Status.DECLINED): EmailKind.DECLINED,
    (Status.REQUESTED, Status.EXPIRED): EmailKind.EXPIRED,
    (Status.REQUESTED, Status.CANCELED): EmailKind.WITHDRAWN,
    (Status.CONFIRMED, Status.CANCELED): EmailKind.CANCELED,
}
_PERSON: tuple[Side, ...] = ("person",)
_GURU: tuple[Side, ...] = ("guru",)
_BOTH: tuple[Side, ...] = ("person", "guru")
# Each side has an email about what it does not know, and one with a calendar file about what changes its calendar.
SIDES: Mapping[EmailKind, tuple[Side, ...]] = dict.fromkeys(EmailKind, _BOTH) | {
    EmailKind.DECLINED: _PERSON,
    EmailKind.EXPIRED: _PERSON,
    EmailKind.PROPOSED: _PERSON,
    EmailKind.PROPOSAL_WITHDRAWN: _PERSON,
    EmailKind.SPOT_FREE: _PERSON,
    EmailKind.PERSON_SAID_NO: _PERSON,
    EmailKind.WITHDRAWN: _GURU,
    EmailKind.PROPOSAL_EXPIRED: _GURU,
    EmailKind.PROPOSAL_LAPSED: _GURU,
    EmailKind.GURU_SAID_NO: _GURU,
    EmailKind.CLAIMED: _GURU,
    EmailKind.CHARGED: _PERSON,
    EmailKind.CHARGE_FAILED: _PERSON,
}
# Of several bookings of a series that change together, the first one's email is about all. A calendar file changes one
# event, so emails that have one are sent for each booking.
ONE_PER_SERIES = frozenset(
    {
        EmailKind.REQUESTED,
        EmailKind.DECLINED,
        EmailKind.EXPIRED,
        EmailKind.WITHDRAWN,
        EmailKind.PROPOSED,
        EmailKind.PROPOSAL_WITHDRAWN,
        EmailKind.PROPOSAL_EXPIRED,
    }
)
# Their key has the number of the proposal: a proposal does not change the session.
_ABOUT_PROPOSALS = frozenset(
    {EmailKind.PROPOSED, EmailKind.PROPOSAL_WITHDRAWN, EmailKind.PROPOSAL_EXPIRED, EmailKind.PROPOSAL_LAPSED}
)


@dataclass(frozen=True, slots=True)
class RoutedEmail:
    """An email to queue. With kind and side, `sequence` makes it unique, so that it is sent once."""

    kind: EmailKind
    sides: tuple[Side, ...]
    sequence: int


def email_about(kind: EmailKind, *, sequence: int, proposals: int) -> RoutedEmail:
    """Return the email of a kind about a booking with this sequence and number of proposals."""
    return RoutedEmail(kind, SIDES[kind], proposals if kind in _ABOUT_PROPOSALS else sequence)
