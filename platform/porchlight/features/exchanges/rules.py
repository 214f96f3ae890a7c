"""The effect of each step of an exchange: pure, without database and clock.

A learner asks for a session with one to three times. The side whose turn it is accepts one, proposes others, or
declines; times are proposed at most three times in all. Docs: docs/exchanges.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

Side = Literal["teacher", "learner"]
Status = Literal["asked", "countered", "confirmed", "declined", "canceled", "expired", "completed"]
SIDES: tuple[Side, ...] = ("learner", "teacher")
OPEN: frozenset[str] = frozenset({"asked", "countered"})

MAX_ASKED_A_DAY = 10
MAX_OPEN_PER_PAIR = 3
MAX_PROPOSALS = 3  # times in one round
MAX_ROUNDS = 3
DAY = timedelta(days=1)
ANSWER_TIME = timedelta(hours=72)
ANSWER_BEFORE_START = timedelta(hours=2)  # an answer later than this is of no use
MIN_NOTICE = timedelta(hours=3)  # so that there is an hour to answer
HORIZON = timedelta(days=90)
COMPLETED_AFTER = timedelta(hours=24)
REMINDER_QUIET = timedelta(minutes=15)  # after the two agreed on the session


class ExchangeRefusal(StrEnum):
    """Why a step is refused."""

    UNVERIFIED = "unverified"
    OWN_LISTING = "own_listing"
    NOT_AVAILABLE = "not_available"  # the account is not active, or one of the two blocked the other
    TOO_MANY_TODAY = "too_many_today"
    TOO_MANY_OPEN = "too_many_open"
    TOO_SOON = "too_soon"
    TOO_LATE = "too_late"
    SAME_TIMES = "same_times"
    KEY_REUSED = "key_reused"
    CHANGED = "changed"  # the other side took a step meanwhile
    ENDED = "ended"  # it expired, or is over
    NOT_PROPOSED = "not_proposed"
    NO_MORE_ROUNDS = "no_more_rounds"
    TEACHER_BUSY = "teacher_busy"  # another exchange
    CALENDAR_BUSY = "calendar_busy"  # the calendar of the teacher's site
    WAIVER_REQUIRED = "waiver_required"  # the learner accepts a time without a valid waiver
    WAIVER_MISSING = "waiver_missing"  # the teacher does


@dataclass(frozen=True, slots=True)
class Reminder:
    """An email before an agreed session: due `before` its start, and skipped `too_late` before it.

    `is_waiver`: to the learner alone, while a waiver is due; the others are to both.
    """

    kind: str
    before: timedelta
    too_late: timedelta
    is_waiver: bool = False


REMINDERS = (
    Reminder("waiver_week", timedelta(days=7), timedelta(days=2), is_waiver=True),
    Reminder("waiver_days", timedelta(days=2), timedelta(0), is_waiver=True),
    Reminder("day_before", timedelta(days=1), timedelta(hours=2)),
    Reminder("soon", timedelta(hours=2), timedelta(0)),
)


class StepRefusedError(Exception):
    """A step was refused. `errors.py` has the errors that people see."""

    def __init__(self, refusal: ExchangeRefusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Agreement:
    """The state of an exchange that decides. `turn`: the side that has to answer, "" once no one does.

    `risk`: the level that a waiver has to cover, "" if none is needed; `waiver_until`: the end of the learner's.
    """

    status: Status
    turn: Side | Literal[""]
    round: int
    proposals: tuple[datetime, ...]
    minutes: int
    sequence: int
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    expires_at: datetime | None = None
    risk: str = ""
    waiver_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ExchangeFacts:
    """The facts that a step depends on. `side`: of the person who takes it.

    `taken` and `blocked`: of the times in question, those at which the teacher teaches another neighbor, and those
    that are taken in the calendar of their site. `is_resent`: the same was asked before under the same key, and
    `has_same_words` whether with the same content.
    """

    now: datetime
    side: Side = "learner"
    agreement: Agreement | None = None
    is_active: bool = True
    is_hidden: bool = False
    is_own: bool = False
    is_resent: bool = False
    has_same_words: bool = True
    asked: int = 0
    open: int = 0
    taken: frozenset[datetime] = frozenset()
    blocked: frozenset[datetime] = frozenset()


@dataclass(frozen=True, slots=True)
class Ask:
    """A learner asks for a session."""

    starts: tuple[datetime, ...]
    is_verified: bool = True
    is_limited: bool = True


@dataclass(frozen=True, slots=True)
class Accept:
    """A side accepts a proposed time. `sequence`: of the exchange that the person saw."""

    starts_at: datetime
    sequence: int


@dataclass(frozen=True, slots=True)
class Counter:
    """A side proposes other times."""

    starts: tuple[datetime, ...]
    sequence: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Decline:
    """A side declines."""

    sequence: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class CancelExchange:
    """A side cancels the session, or takes back what it proposed."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class EndDue:
    """Time passes: what is due ends."""


Command = Ask | Accept | Counter | Decline | CancelExchange | EndDue


@dataclass(frozen=True, slots=True)
class Email:
    """An email about a step, to one side."""

    kind: str
    side: Side


@dataclass(frozen=True, slots=True)
class ExchangeChange:
    """The new values of an exchange, and the emails about them. Values that stay are None, except `remind_at`."""

    status: Status
    turn: Side | Literal[""] = ""
    round: int | None = None
    proposals: tuple[datetime, ...] | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    expires_at: datetime | None = None
    remind_at: datetime | None = None
    ended_by: Side | Literal[""] = ""
    reply: str | None = None
    reply_by: Side | Literal[""] = ""
    emails: tuple[Email, ...] = field(default=())


class AskedBefore:
    """The same was asked before."""


Decision = ExchangeChange | AskedBefore | ExchangeRefusal | None


def other_side(side: Side) -> Side:
    """Return the side that is not `side`."""
    return "learner" if side == "teacher" else "teacher"


def answer_until(now: datetime, starts: Sequence[datetime]) -> datetime:
    """Return until when proposed times can be answered: 72 hours, but not in the last 2 before the earliest one."""
    return min(now + ANSWER_TIME, min(starts) - ANSWER_BEFORE_START)


def next_reminder(starts_at: datetime, after: datetime) -> datetime | None:
    """Return when the next reminders of a session are due, at `after` at the earliest; None if no more are."""
    return min((due for one in REMINDERS if (due := starts_at - one.before) >= after), default=None)


def due_reminders(agreement: Agreement, since: datetime, now: datetime) -> list[Email]:
    """Return the reminders of an agreed session that have become due from `since` until now, and are not too late."""
    start = agreement.starts_at
    if agreement.status != "confirmed" or start is None:
        return []
    due = [one for one in REMINDERS if since <= start - one.before <= now < start - one.too_late]
    return [
        Email(one.kind, side)
        for one in due
        if not one.is_waiver or lacks_waiver(agreement.risk, agreement.waiver_until, start)
        for side in (("learner",) if one.is_waiver else SIDES)
    ]


def lacks_waiver(risk: str, waiver_until: datetime | None, moment: datetime) -> bool:
    """Return whether a waiver is needed that is valid at a moment, and missing."""
    return risk != "" and (waiver_until is None or waiver_until <= moment)


def decide(command: Command, facts: ExchangeFacts) -> Decision:
    """Return what a command changes, that it was carried out before, why it is refused, or None for nothing to do."""
    match command:
        case Ask():
            return _ask(command, facts)
        case EndDue():
            return _pass(facts)
    agreement = facts.agreement
    if agreement is None:
        return ExchangeRefusal.ENDED
    if isinstance(command, CancelExchange):
        return _cancel(command, facts, agreement)
    refusal = _answer_refusal(command.sequence, facts, agreement)
    if refusal is not None:
        return refusal
    match command:
        case Decline():
            return _decline(command, facts)
        case Accept():
            return _accept(command, facts, agreement)
        case Counter():
            return _counter(command, facts, agreement)


def _answer_refusal(sequence: int, facts: ExchangeFacts, agreement: Agreement) -> ExchangeRefusal | None:
    """Return why a side cannot answer at all: it saw an older state, it is too late, or not its turn."""
    if sequence != agreement.sequence:
        return ExchangeRefusal.CHANGED
    if agreement.status not in OPEN or _has_expired(facts.now, agreement):
        return ExchangeRefusal.ENDED
    return None if agreement.turn == facts.side else ExchangeRefusal.CHANGED


def _decline(command: Decline, facts: ExchangeFacts) -> Decision:
    return ExchangeChange(
        "declined",
        ended_by=facts.side,
        reply=command.words,
        reply_by=facts.side,
        emails=(Email("declined", other_side(facts.side)),),
    )


def asking_refusal(facts: ExchangeFacts, *, is_verified: bool, is_limited: bool) -> ExchangeRefusal | None:
    """Return why someone cannot ask for a session at any time, or None."""
    if facts.is_own:
        return ExchangeRefusal.OWN_LISTING
    if facts.is_hidden or not facts.is_active:
        return ExchangeRefusal.NOT_AVAILABLE
    if not is_verified:
        return ExchangeRefusal.UNVERIFIED
    if is_limited and facts.asked >= MAX_ASKED_A_DAY:
        return ExchangeRefusal.TOO_MANY_TODAY
    return ExchangeRefusal.TOO_MANY_OPEN if facts.open >= MAX_OPEN_PER_PAIR else None


def _ask(command: Ask, facts: ExchangeFacts) -> Decision:
    """Decide on a new exchange. A resend is answered first: what was asked stays asked."""
    if facts.is_resent:
        return AskedBefore() if facts.has_same_words else ExchangeRefusal.KEY_REUSED
    starts = tuple(sorted(command.starts))
    refusal = asking_refusal(facts, is_verified=command.is_verified, is_limited=command.is_limited)
    refusal = refusal or _times_refusal(starts, facts.now)
    if refusal is not None:
        return refusal
    return ExchangeChange(
        "asked",
        turn="teacher",
        round=1,
        proposals=starts,
        expires_at=answer_until(facts.now, starts),
        emails=(Email("asked", "teacher"),),
    )


def _accept(command: Accept, facts: ExchangeFacts, agreement: Agreement) -> Decision:
    if command.starts_at not in agreement.proposals:
        return ExchangeRefusal.NOT_PROPOSED
    if facts.is_hidden or not facts.is_active:
        return ExchangeRefusal.NOT_AVAILABLE
    # As for a booking: it is valid when the time is agreed on. If it ends before the start, a new one is due then.
    if lacks_waiver(agreement.risk, agreement.waiver_until, facts.now):
        return ExchangeRefusal.WAIVER_REQUIRED if facts.side == "learner" else ExchangeRefusal.WAIVER_MISSING
    if command.starts_at in facts.taken:
        return ExchangeRefusal.TEACHER_BUSY
    if command.starts_at in facts.blocked:
        return ExchangeRefusal.CALENDAR_BUSY
    return ExchangeChange(
        "confirmed",
        starts_at=command.starts_at,
        ends_at=command.starts_at + timedelta(minutes=agreement.minutes),
        remind_at=next_reminder(command.starts_at, facts.now + REMINDER_QUIET),
        emails=(Email("confirmed", "learner"), Email("confirmed", "teacher")),
    )


def _counter(command: Counter, facts: ExchangeFacts, agreement: Agreement) -> Decision:
    if agreement.round >= MAX_ROUNDS:
        return ExchangeRefusal.NO_MORE_ROUNDS
    if facts.is_hidden or not facts.is_active:
        return ExchangeRefusal.NOT_AVAILABLE
    starts = tuple(sorted(command.starts))
    refusal = _times_refusal(starts, facts.now)
    if refusal is not None:
        return refusal
    asked = other_side(facts.side)
    return ExchangeChange(
        "countered",
        turn=asked,
        round=agreement.round + 1,
        proposals=starts,
        expires_at=answer_until(facts.now, starts),
        reply=command.words,
        reply_by=facts.side,
        emails=(Email("countered", asked),),
    )


def _cancel(command: CancelExchange, facts: ExchangeFacts, agreement: Agreement) -> Decision:
    """Decide on a cancellation. The side that has to answer can cancel too; canceling twice changes nothing."""
    if agreement.status == "canceled":
        return None
    if agreement.status in OPEN:
        if _has_expired(facts.now, agreement):
            return ExchangeRefusal.ENDED
        kinds: tuple[Email, ...] = (Email("withdrawn", other_side(facts.side)),)
    elif agreement.status == "confirmed" and agreement.ends_at is not None and facts.now < agreement.ends_at:
        kinds = (Email("canceled", other_side(facts.side)), Email("canceled", facts.side))
    else:
        return ExchangeRefusal.ENDED
    return ExchangeChange("canceled", ended_by=facts.side, reply=command.words, reply_by=facts.side, emails=kinds)


def _pass(facts: ExchangeFacts) -> Decision:
    """End what is due. Only who waited for an answer gets an email."""
    agreement = facts.agreement
    if agreement is None:
        return None
    if agreement.status in OPEN and _has_expired(facts.now, agreement) and agreement.turn:
        return ExchangeChange("expired", emails=(Email("expired", other_side(agreement.turn)),))
    if (
        agreement.status == "confirmed"
        and agreement.ends_at is not None
        and facts.now >= agreement.ends_at + COMPLETED_AFTER
    ):
        return ExchangeChange("completed")
    return None


def _has_expired(now: datetime, agreement: Agreement) -> bool:
    return agreement.expires_at is not None and now >= agreement.expires_at


def _times_refusal(starts: tuple[datetime, ...], now: datetime) -> ExchangeRefusal | None:
    """Return why times cannot be proposed. They are sorted."""
    if len(set(starts)) < len(starts):
        return ExchangeRefusal.SAME_TIMES
    if starts[0] < now + MIN_NOTICE:
        return ExchangeRefusal.TOO_SOON
    if starts[-1] > now + HORIZON:
        return ExchangeRefusal.TOO_LATE
    return None
