"""The effect of each step of an exchange: pure, without database and clock.

A learner asks for a session with one to three times. The side whose turn it is accepts one, proposes others, or
declines; times are proposed at most three times in all. Docs: docs/exchanges.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from porchlight.features.exchanges.agreement import (
    OPEN,
    Agreement,
    Email,
    ExchangeFacts,
    ExchangeRefusal,
    Side,
    Status,
    lacks_waiver,
    other_side,
)
from porchlight.features.exchanges.hours_rules import HoursRefusal, Mode, hours_refusal, is_quarter
from porchlight.features.exchanges.reminders import REMINDER_QUIET, next_reminder
from porchlight.features.exchanges.settlement_rules import RECORD_TIME

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


@dataclass(frozen=True, slots=True)
class Ask:
    """A learner asks for a session. `mode`: what it is given for, None if the listing does not offer that."""

    starts: tuple[datetime, ...]
    minutes: int = 60
    mode: Mode | None = "direct"
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
class ExchangeChange:
    """The new values of an exchange, and the emails about them.

    Values that stay are None, except `remind_at` and `settle_by`.
    """

    status: Status
    turn: Side | Literal[""] = ""
    round: int | None = None
    proposals: tuple[datetime, ...] | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    expires_at: datetime | None = None
    remind_at: datetime | None = None
    settle_by: datetime | None = None
    ended_by: Side | Literal[""] = ""
    reply: str | None = None
    reply_by: Side | Literal[""] = ""
    emails: tuple[Email, ...] = field(default=())


class AskedBefore:
    """The same was asked before."""


Decision = ExchangeChange | AskedBefore | ExchangeRefusal | HoursRefusal | None


def answer_until(now: datetime, starts: Sequence[datetime]) -> datetime:
    """Return until when proposed times can be answered: 72 hours, but not in the last 2 before the earliest one."""
    return min(now + ANSWER_TIME, min(starts) - ANSWER_BEFORE_START)


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
    if refusal is None and command.mode is None:
        refusal = ExchangeRefusal.NOT_OFFERED
    if refusal is None and command.mode != "direct" and not is_quarter(command.minutes):
        refusal = ExchangeRefusal.NOT_QUARTERS
    if refusal is not None:
        return refusal
    if command.mode == "hours":
        hours = hours_refusal(command.minutes, starts, facts.hours, is_learner=True)
        if hours is not None:
            return hours
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
    if agreement.mode == "hours":
        is_learner = facts.side == "learner"
        hours = hours_refusal(agreement.minutes, (command.starts_at,), facts.hours, is_learner=is_learner)
        if hours is not None:
            return hours
    ends_at = command.starts_at + timedelta(minutes=agreement.minutes)
    return ExchangeChange(
        "confirmed",
        starts_at=command.starts_at,
        ends_at=ends_at,
        settle_by=ends_at + RECORD_TIME if agreement.mode != "direct" else None,
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
    """End what is due. An email goes to who waited for an answer, or has to record the time."""
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
        is_due = agreement.mode != "direct" and agreement.record.state == ""
        emails = (Email("record_due", "teacher"),) if is_due else ()
        return ExchangeChange("completed", settle_by=agreement.record.settle_by, emails=emails)
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
