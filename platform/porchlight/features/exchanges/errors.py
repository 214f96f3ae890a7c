"""Errors of exchanges, with the sentences for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from porchlight.auth.errors import EmailUnverified
from porchlight.features.exchanges.rules import ExchangeRefusal, StepRefusedError
from tenants.kit.errors import Conflict, Forbidden, KeyReused, ProductError, ValidationFailed


class NotAvailable(Forbidden):
    """The account is not active, or one of the two blocked the other: the answer is the same."""

    code = "not_available"
    message = "You can't arrange a session with this neighbor right now."


class AskedLimited(Conflict):
    """The learner asked for many sessions today."""

    code = "quota_exceeded"
    message = "You've asked for many sessions today. Please try again tomorrow."


class OpenLimited(Conflict):
    """The two have several open requests."""

    code = "quota_exceeded"
    message = "You two have three open requests already. Please settle one of them first."


class ExchangeChanged(Conflict):
    """The other side took a step meanwhile."""

    code = "exchange_changed"
    message = "This request was changed in the meantime. Please look at it again."


class ExchangeEnded(Conflict):
    """The exchange expired, or is over."""

    code = "exchange_ended"
    message = "This request is no longer open. You can ask for another time."


class NoMoreRounds(Conflict):
    """Times were proposed three times."""

    code = "rounds_used"
    message = "Times were proposed three times already. Please accept one, or decline and write a message."


class TeacherBusy(Conflict):
    """The teacher teaches another neighbor at that time."""

    code = "slot_taken"
    message = "There is another session at that time. Please choose another one."


class CalendarBusy(Conflict):
    """The calendar of the teacher's site is not free at that time."""

    code = "calendar_busy"
    message = "The teacher's calendar is taken at that time. Please choose another one."


class OwnWaiverMissing(Conflict):
    """The learner has no valid waiver for a risky session."""

    code = "waiver_required"
    message = "This session needs a liability waiver. Please accept the waiver first, then the time."


class LearnerWaiverMissing(Conflict):
    """The teacher cannot accept a time of a risky session while the learner has no valid waiver."""

    code = "waiver_missing"
    message = "Your neighbor has to accept the liability waiver first. Send them a message, then accept a time."


_FIELDS = {
    ExchangeRefusal.TOO_SOON: "Choose times at least 3 hours from now.",
    ExchangeRefusal.TOO_LATE: "Choose times within the next 90 days.",
    ExchangeRefusal.SAME_TIMES: "Choose a different time for each.",
}
_ERRORS: dict[ExchangeRefusal, type[ProductError]] = {
    ExchangeRefusal.UNVERIFIED: EmailUnverified,
    ExchangeRefusal.NOT_AVAILABLE: NotAvailable,
    ExchangeRefusal.TOO_MANY_TODAY: AskedLimited,
    ExchangeRefusal.TOO_MANY_OPEN: OpenLimited,
    ExchangeRefusal.KEY_REUSED: KeyReused,
    ExchangeRefusal.CHANGED: ExchangeChanged,
    ExchangeRefusal.ENDED: ExchangeEnded,
    ExchangeRefusal.NO_MORE_ROUNDS: NoMoreRounds,
    ExchangeRefusal.TEACHER_BUSY: TeacherBusy,
    ExchangeRefusal.CALENDAR_BUSY: CalendarBusy,
    ExchangeRefusal.WAIVER_REQUIRED: OwnWaiverMissing,
    ExchangeRefusal.WAIVER_MISSING: LearnerWaiverMissing,
}


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Turn a refused step into the error that people see."""
    try:
        yield
    except StepRefusedError as refused:
        raise error_of(refused.refusal) from refused


def error_of(refusal: ExchangeRefusal) -> ProductError:
    """Return the error of a refused step."""
    if refusal in _FIELDS:
        return ValidationFailed(fields={"starts": _FIELDS[refusal]})
    if refusal is ExchangeRefusal.NOT_PROPOSED:
        return ValidationFailed(fields={"startsAt": "Choose one of the proposed times."})
    if refusal is ExchangeRefusal.OWN_LISTING:
        return ValidationFailed(fields={"offerId": "This is your own listing."})
    return _ERRORS[refusal]()
