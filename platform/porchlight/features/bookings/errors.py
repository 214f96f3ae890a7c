"""Errors of bookings, with their messages for people."""

from __future__ import annotations

from porchlight.features.bookings.passes.errors import (
    AlreadyCheckedIn,
    AttendanceClosed,
    CheckInClosed,
    CheckInEarly,
    MarkedMissed,
    PassOfOtherDay,
    PassOutdated,
)
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.personal_links import BookingClaimed
from tenants.kit.errors import Conflict, Forbidden, KeyReused, ProductError, ValidationFailed


class SlotTaken(Conflict):
    """Another booking has the time."""

    code = "slot_taken"
    message = "That time was just taken. Please choose another."


class SlotGone(Conflict):
    """The guru does not offer the time any more."""

    code = "slot_gone"
    message = "That time is no longer offered. Please choose another."


class TooSoon(Conflict):
    """The time is nearer than the guru's notice."""

    code = "too_soon"


class SessionFull(Conflict):
    """No seat is left, or other people wait for one."""

    code = "session_full"
    message = "This session is full. You can join the waitlist."


class PartyTooLarge(Conflict):
    """The guru takes fewer people per booking."""

    code = "party_too_large"


class AlreadyBooked(Conflict):
    """The user has a hold, a request or a booking for the session."""

    code = "already_booked"
    message = "You already have a spot in this session."


class CardsUnavailable(Conflict):
    """A session that is paid by card when it is booked can't be paid now: the guru's plan takes no card payments."""

    code = "cards_unavailable"
    message = "This guru can't take card payments right now. Send them a message to arrange the session."


class TooMuchForCard(Conflict):
    """The sessions cost more together than a card can be charged at once."""

    code = "too_much_for_card"
    message = "This is more than a card can be charged at once. Please book fewer sessions at a time."


class ChargeReturned(Conflict):
    """The charge for a session that was missed went back to the card, which can't be charged again."""

    code = "charge_returned"
    message = "What was charged for this session went back to the card, so it can't be marked as missed again."


class AlreadyRefunded(Conflict):
    """Money went back for a session that was missed, so that it can't count as attended any more."""

    code = "already_refunded"
    message = "The part of the price that isn't owed was returned when you marked this session as missed."


class RefundTooLarge(Conflict):
    """More is to be returned than is left of the payment."""

    code = "refund_too_large"
    message = "That's more than is left of this payment."


class RefundChanged(Conflict):
    """Something else is left of the payment than what was seen."""

    code = "refund_changed"
    message = "The refund amount has changed. Check it and confirm again."


class PaymentDisputed(Conflict):
    """The person's bank has taken the payment back, until it decides."""

    code = "payment_disputed"
    message = "The bank is looking at this payment. It decides who gets the money."


class HoldsExhausted(Conflict):
    """Too many holds of visitors on one day."""

    code = "holds_exhausted"
    message = "Many people are choosing times right now. Continue with your account to book this one."


class UnverifiedHolds(Forbidden):
    """Too many holds of visitors on one day. A user whose email address is not verified counts as one."""

    code = "email_unverified"
    message = "Many people are choosing times right now. Please verify your email address to continue."


_NETWORK_HOLDS = "Your network is already keeping other times with this guru. Please book or release one, or"


class NetworkHolds(Conflict):
    """Too many holds of visitors at one address."""

    code = "holds_exhausted"
    message = f"{_NETWORK_HOLDS} continue with your account."


class UnverifiedNetworkHolds(Forbidden):
    """The same, for a user whose email address is not verified."""

    code = "email_unverified"
    message = f"{_NETWORK_HOLDS} verify your email address to continue."


class TooManyHolds(Conflict):
    """The user has two holds or three requests with the guru, or made ten holds within the hour."""

    code = "holds_exhausted"
    message = (
        "You're already keeping other times with this guru. Please book or release one first, or try again in an hour."
    )


class HoldExpired(Conflict):
    """The hold's ten minutes are over, or it was released."""

    code = "hold_expired"
    message = "Your 10-minute hold has ended. Pick the time again."


class TermsChanged(Conflict):
    """The terms or the cost differ from those that the user saw."""

    code = "terms_changed"
    message = "The time for a free cancellation has passed. Please look at the terms again."


class PolicyChanged(Conflict):
    """The terms of the hold differ from those that the user saw."""

    code = "policy_changed"
    message = "The cancellation terms changed while you were booking. Please read them again."


class BookingChanged(Conflict):
    """The booking has another status than the change needs."""

    code = "booking_changed"
    message = "This session was changed in the meantime. Please reload."


class TooManyAddresses(Conflict):
    """The person has corrected the address of the booking as often as they can."""

    code = "too_many_addresses"
    message = "You've changed this address several times. To change it again, reply to the email about your booking."


class WaiverDue(Conflict):
    """Someone who takes part has no waiver that is valid at the start."""

    code = "waiver_due"
    message = "Waiver due: not everyone has signed. Ask them to sign before you start."


class MovesUsed(Conflict):
    """The terms allow no further move."""

    code = "moves_used"
    message = "This session can't be moved."


class MoveTooLate(Conflict):
    """The time until which the terms allow a move has passed."""

    code = "move_too_late"
    message = "It's too late to move this session. You can still cancel it."


class SameTime(Conflict):
    """The guru proposed the time that the session has."""

    code = "same_time"
    message = "The session is at that time already. Please choose another."


class ProposalTooLate(Conflict):
    """One of both times is too near for the person to answer."""

    code = "proposal_too_late"
    message = "That leaves no time for an answer. Please choose a later time, or cancel the session."


class ProposalsUsed(Conflict):
    """The guru proposed another time for the booking too often."""

    code = "proposals_used"
    message = "You've proposed other times for this session 5 times. You can still cancel it."


class ProposalEnded(Conflict):
    """The guru's proposal expired, was withdrawn or replaced, or its time was taken."""

    code = "proposal_ended"
    message = "This proposal is no longer open. Your session stays as it is."


class SessionHasSpots(Conflict):
    """The session has seats for the party, so there is no need to wait."""

    code = "session_has_spots"
    message = "This session has free spots. You can book it now."


class WaitlistFull(Conflict):
    """A hundred people wait for the session."""

    code = "waitlist_full"
    message = "This waitlist is full. Please choose another time."


class TooManyWaitlists(Conflict):
    """The user waits for twenty sessions."""

    code = "too_many_waitlists"
    message = "You're on 20 waitlists already. Please leave one first."


class SeriesPartlyGone(Conflict):
    """Some starts of a series cannot be booked; `fields` has the reason of each, by its start."""

    code = "series_partly_gone"
    message = "Some of these times are no longer free. Please choose others."


class WaiverTooShort(Conflict):
    """The waiver expires before some sessions of a series; `fields` has their starts."""

    code = "waiver_too_short"


class WaiverRequired(Conflict):
    """The session needs a valid waiver of the user."""

    code = "waiver_required"
    message = "A liability waiver is required before you can book this session."


class ConfirmationNeeded(Conflict):
    """A guru books for a customer outside their own limits; `fields` has what to confirm."""

    code = "needs_confirmation"
    message = "Please check this before you book."


class OthersWait(Conflict):
    """Neighbors wait for a seat of the session, so a guru can't give it to a customer."""

    code = "others_wait"
    message = "Neighbors are waiting for a spot in this session. The next free one goes to them."


class TooManyCustomers(Conflict):
    """A guru booked for a hundred customers, or ten sessions for one address, within a day."""

    code = "too_many_customers"
    message = "You can book 100 sessions for customers within a day, and 10 for one address. Please try again tomorrow."


class PackageChanged(Conflict):
    """The package covers another number of the sessions than the person saw: it was used, ended or taken back."""

    code = "package_changed"
    message = "Your package changed in the meantime. Please look again at which sessions it covers."


class PackageGone(Conflict):
    """A package that the guru wants to change was used, has ended or changed meanwhile."""

    code = "package_gone"
    message = "This package changed in the meantime. Please reload."


class TooManyPackages(Conflict):
    """The person has ten packages of the guru that are not used up, or the guru gave a hundred within a day."""

    code = "too_many_packages"
    message = "One person can have 10 open packages, and you can give 100 a day. Please try again later."


class LinkClosed(Conflict):
    """A participant has nothing to sign, got too many emails, or their address is unknown."""

    code = "link_closed"
    message = "This link can't be sent now. Please reload to see who has signed."


class WaiverExpired(Conflict):
    """The user's waiver for the session has expired."""

    code = "waiver_expired"


class MissingAddress(ValidationFailed):
    """A session can't move to the place of people who gave no address."""

    def __init__(self) -> None:
        super().__init__(fields={"place": "Someone booked without an address. Please choose another place."})


ERRORS: dict[RefusalReason, type[ProductError]] = {
    RefusalReason.STALE: SlotGone,
    RefusalReason.SLOT_GONE: SlotGone,
    RefusalReason.SLOT_TAKEN: SlotTaken,
    RefusalReason.SESSION_FULL: SessionFull,
    RefusalReason.PARTY_TOO_LARGE: PartyTooLarge,
    RefusalReason.ALREADY_BOOKED: AlreadyBooked,
    RefusalReason.PACKAGE_CHANGED: PackageChanged,
    RefusalReason.CLAIMED: BookingClaimed,
    RefusalReason.PACKAGE_GONE: PackageGone,
    RefusalReason.TOO_MANY_PACKAGES: TooManyPackages,
    RefusalReason.OWN_LIMIT: TooManyHolds,
    RefusalReason.ADDRESS_LIMIT: NetworkHolds,
    RefusalReason.VISITOR_LIMIT: HoldsExhausted,
    RefusalReason.HOLD_EXPIRED: HoldExpired,
    RefusalReason.POLICY_CHANGED: PolicyChanged,
    RefusalReason.WAIVER_REQUIRED: WaiverRequired,
    RefusalReason.REQUEST_REUSED: KeyReused,
    RefusalReason.PARTLY_GONE: SeriesPartlyGone,
    RefusalReason.OTHERS_WAIT: OthersWait,
    RefusalReason.TOO_MANY_CUSTOMERS: TooManyCustomers,
    RefusalReason.BOOKING_CHANGED: BookingChanged,
    RefusalReason.TERMS_CHANGED: TermsChanged,
    RefusalReason.MOVES_USED: MovesUsed,
    RefusalReason.MOVE_TOO_LATE: MoveTooLate,
    RefusalReason.PROPOSAL_ENDED: ProposalEnded,
    RefusalReason.PROPOSAL_TOO_LATE: ProposalTooLate,
    RefusalReason.ATTENDANCE_CLOSED: AttendanceClosed,
    RefusalReason.CHECKED_IN: AlreadyCheckedIn,
    RefusalReason.CHECK_IN_EARLY: CheckInEarly,
    RefusalReason.CHECK_IN_CLOSED: CheckInClosed,
    RefusalReason.MARKED_MISSED: MarkedMissed,
    RefusalReason.PASS_OUTDATED: PassOutdated,
    RefusalReason.PASS_OF_OTHER_DAY: PassOfOtherDay,
    RefusalReason.WAIVER_DUE: WaiverDue,
    RefusalReason.NO_ADDRESS: MissingAddress,
    RefusalReason.TOO_MANY_ADDRESSES: TooManyAddresses,
    RefusalReason.SESSION_HAS_SPOTS: SessionHasSpots,
    RefusalReason.CARDS_UNAVAILABLE: CardsUnavailable,
    RefusalReason.TOO_MUCH_FOR_CARD: TooMuchForCard,
    RefusalReason.REFUNDED: AlreadyRefunded,
    RefusalReason.REFUND_TOO_LARGE: RefundTooLarge,
    RefusalReason.REFUND_CHANGED: RefundChanged,
    RefusalReason.PAYMENT_DISPUTED: PaymentDisputed,
    RefusalReason.CHARGE_RETURNED: ChargeReturned,
    RefusalReason.WAITLIST_FULL: WaitlistFull,
    RefusalReason.TOO_MANY_WAITLISTS: TooManyWaitlists,
}
# A user whose email address is not verified counts as a visitor, and can do something about it.
ERRORS_OF_USERS = ERRORS | {
    RefusalReason.ADDRESS_LIMIT: UnverifiedNetworkHolds,
    RefusalReason.VISITOR_LIMIT: UnverifiedHolds,
}


def require(refusal: RefusalReason | None) -> None:
    """Raise the error of a refusal, if there is one."""
    if refusal is not None:
        raise ERRORS[refusal]
