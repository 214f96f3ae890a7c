"""Why a command on bookings is refused. `errors` has what people read about each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum


class RefusalReason(StrEnum):
    """A reason against a command."""

    STALE = "stale"  # look again: the rules changed, or other facts than those of the decision hold now
    SLOT_GONE = "slot_gone"
    SLOT_TAKEN = "slot_taken"
    SESSION_FULL = "session_full"
    PARTY_TOO_LARGE = "party_too_large"
    ALREADY_BOOKED = "already_booked"
    PACKAGE_CHANGED = "package_changed"
    CLAIMED = "claimed"
    TOO_MANY_PACKAGES = "too_many_packages"
    PACKAGE_GONE = "package_gone"
    OWN_LIMIT = "own_limit"
    ADDRESS_LIMIT = "address_limit"
    VISITOR_LIMIT = "visitor_limit"
    HOLD_EXPIRED = "hold_expired"
    POLICY_CHANGED = "policy_changed"
    WAIVER_REQUIRED = "waiver_required"
    REQUEST_REUSED = "request_reused"
    PARTLY_GONE = "partly_gone"
    OTHERS_WAIT = "others_wait"
    TOO_MANY_CUSTOMERS = "too_many_customers"
    BOOKING_CHANGED = "booking_changed"
    TERMS_CHANGED = "terms_changed"
    MOVES_USED = "moves_used"
    MOVE_TOO_LATE = "move_too_late"
    PROPOSAL_ENDED = "proposal_ended"
    PROPOSAL_TOO_LATE = "proposal_too_late"
    ATTENDANCE_CLOSED = "attendance_closed"
    CHECKED_IN = "checked_in"
    CHECK_IN_EARLY = "check_in_early"
    CHECK_IN_CLOSED = "check_in_closed"
    MARKED_MISSED = "marked_missed"
    PASS_OUTDATED = "pass_outdated"  # noqa: S105 - a reason
    PASS_OF_OTHER_DAY = "pass_of_other_day"  # noqa: S105 - a reason
    WAIVER_DUE = "waiver_due"
    NO_ADDRESS = "no_address"
    TOO_MANY_ADDRESSES = "too_many_addresses"
    SESSION_HAS_SPOTS = "session_has_spots"
    CARDS_UNAVAILABLE = "cards_unavailable"
    TOO_MUCH_FOR_CARD = "too_much_for_card"
    REFUNDED = "refunded"
    REFUND_TOO_LARGE = "refund_too_large"
    REFUND_CHANGED = "refund_changed"
    PAYMENT_DISPUTED = "payment_disputed"
    CHARGE_RETURNED = "charge_returned"
    WAITLIST_FULL = "waitlist_full"
    TOO_MANY_WAITLISTS = "too_many_waitlists"


class CommandRefused(Exception):
    """A command is refused. `reasons`: of several starts, why each one is, by its start."""

    def __init__(self, refusal: RefusalReason, reasons: Mapping[datetime, RefusalReason] | None = None) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.reasons = dict(reasons or {})
