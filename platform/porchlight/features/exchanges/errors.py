"""Errors of exchanges, with the sentences for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from porchlight.auth.errors import EmailUnverified
from porchlight.features.exchanges.agreement import ExchangeRefusal, StepRefusedError
from porchlight.features.exchanges.hours_rules import MAX_BALANCE_MINUTES, HoursRefusal, hours_text
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


class NotYetRecorded(Conflict):
    """The session has not ended."""

    code = "exchange_not_over"
    message = "You can record the time once the session is over."


class NothingToRecord(Conflict):
    """The two settle the session with each other, or it was not agreed on."""

    code = "nothing_to_record"
    message = "There is no time to record for this session."


class RecordEnded(Conflict):
    """The two could not agree in three rounds, or recorded no time in a week."""

    code = "record_ended"
    message = "The time of this session can no longer be recorded."


class ObjectionEnded(Conflict):
    """The recorded time is settled, or about to be."""

    code = "objection_ended"
    message = "The time to object is over."


class ReversalEnded(Conflict):
    """The time to take something back is over, or there was nothing to take back."""

    code = "reversal_ended"
    message = "This can no longer be taken back."


class HoursFloor(Conflict):
    """A balance of hours would fall below its lowest."""

    code = "hours_floor"
    message = "There are not enough hours left for this."


class HoursFull(Conflict):
    """A balance of hours would rise above its highest."""

    code = "hours_full"
    message = f"You can keep up to {hours_text(MAX_BALANCE_MINUTES)}. Spend some of your hours first."


class HoursOfWeek(Conflict):
    """The two exchange many hours in one week."""

    code = "hours_week"
    message = "You two can exchange up to 8 h in one week. Please choose another week or a shorter session."


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
    ExchangeRefusal.TOO_EARLY: NotYetRecorded,
    ExchangeRefusal.NOTHING_TO_RECORD: NothingToRecord,
    ExchangeRefusal.RECORD_ENDED: RecordEnded,
    ExchangeRefusal.OBJECTION_ENDED: ObjectionEnded,
    ExchangeRefusal.REVERSAL_ENDED: ReversalEnded,
    ExchangeRefusal.HOURS_TAKEN: HoursFloor,
}


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Turn a refused step into the error that people see."""
    try:
        yield
    except StepRefusedError as refused:
        raise error_of(refused.refusal) from refused


def error_of(refusal: ExchangeRefusal | HoursRefusal) -> ProductError:
    """Return the error of a refused step."""
    if isinstance(refusal, HoursRefusal):
        return _hours_error(refusal)
    if refusal in _FIELDS:
        return ValidationFailed(fields={"starts": _FIELDS[refusal]})
    if refusal is ExchangeRefusal.NOT_PROPOSED:
        return ValidationFailed(fields={"startsAt": "Choose one of the proposed times."})
    if refusal is ExchangeRefusal.OWN_LISTING:
        return ValidationFailed(fields={"offerId": "This is your own listing."})
    if refusal is ExchangeRefusal.NOT_OFFERED:
        return ValidationFailed(fields={"mode": "Choose one of the ways that this listing offers."})
    if refusal is ExchangeRefusal.NOT_QUARTERS:
        return ValidationFailed(fields={"minutes": "Choose a length in quarter hours, up to 8 hours."})
    return _ERRORS[refusal]()


def _hours_error(refusal: HoursRefusal) -> ProductError:
    """Return why hours are refused. A person's balance is named to them only."""
    if refusal.reason == "pair_week":
        return HoursOfWeek()
    if refusal.reason == "full":
        if refusal.is_own:
            return HoursFull()
        return HoursFull("Your neighbor can't earn more hours right now. Suggest a shorter session or free help.")
    if refusal.is_own:
        return HoursFloor(
            f"This would take you to {hours_text(refusal.after)}. The lowest is {hours_text(refusal.floor)}."
        )
    return HoursFloor("Your neighbor doesn't have enough hours left for this.")
