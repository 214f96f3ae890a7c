"""How the time of a session is recorded and settled: pure, without database and clock.

After the end, the teacher records the minutes. The learner confirms them or names others; so can each side in turn,
with at most three proposals in all. Without an answer in 72 hours, the last proposal counts. Docs: docs/exchanges.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from porchlight.features.exchanges.agreement import (
    Agreement,
    Email,
    ExchangeFacts,
    ExchangeRefusal,
    Record,
    Side,
    other_side,
)
from porchlight.features.exchanges.hours_rules import (
    MAX_RECORDED_MINUTES,
    HoursRefusal,
    hours_refusal,
    is_quarter,
    return_refusal,
)

RECORD_TIME = timedelta(days=7)
OBJECTION_TIME = timedelta(hours=72)
REVERSAL_TIME = timedelta(days=30)
MAX_RECORDS = 3


@dataclass(frozen=True, slots=True)
class RecordTime:
    """A side records the minutes: the teacher first, then the side that objects to what the other one recorded.

    `round`: how often minutes were recorded, as the person saw it. 0 minutes: the session did not take place.
    """

    minutes: int
    round: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmTime:
    """A side confirms what the other one recorded, in the `round` that it saw."""

    round: int


@dataclass(frozen=True, slots=True)
class ReverseTime:
    """A side wants what was settled taken back, or agrees (`wanted`); or no longer wants it, or declines."""

    wanted: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class SettleDue:
    """Time passes: without a record nothing is settled, and without an objection the last one is."""


SettlementCommand = RecordTime | ConfirmTime | ReverseTime | SettleDue


@dataclass(frozen=True, slots=True)
class SettlementChange:
    """The new record of an exchange, the words that came with it, and the emails about it."""

    record: Record
    words: str = ""
    words_by: Side | None = None
    emails: tuple[Email, ...] = field(default=())


SettlementDecision = SettlementChange | ExchangeRefusal | HoursRefusal | None


def decide_settlement(command: SettlementCommand, facts: ExchangeFacts) -> SettlementDecision:
    """Return what a command changes, why it is refused, or None for nothing to do."""
    agreement = facts.agreement
    if agreement is None or agreement.mode == "direct" or agreement.status not in ("confirmed", "completed"):
        return ExchangeRefusal.NOTHING_TO_RECORD
    match command:
        case RecordTime():
            return _record(command, facts, agreement)
        case ConfirmTime():
            return _confirm(command, facts, agreement.record)
        case ReverseTime():
            return _reverse(command, facts, agreement)
        case SettleDue():
            return _pass(facts.now, agreement.record)


def can_record(agreement: Agreement, side: Side, now: datetime) -> bool:
    """Return whether a side can record the time now, as the first one."""
    record = agreement.record
    return (
        agreement.mode != "direct"
        and side == "teacher"
        and agreement.status in ("confirmed", "completed")
        and record.state == ""
        and agreement.ends_at is not None
        and agreement.ends_at <= now
        and not _is_late(record, now)
    )


def can_answer(record: Record, side: Side, now: datetime) -> bool:
    """Return whether a side can confirm or object to what the other one recorded."""
    return record.state == "recorded" and record.by == other_side(side) and not _is_late(record, now)


def can_reverse(record: Record, now: datetime) -> bool:
    """Return whether what was settled can still be taken back, if both agree."""
    return (
        record.state == "settled"
        and bool(record.minutes)
        and record.settled_at is not None
        and now < record.settled_at + REVERSAL_TIME
    )


def _record(command: RecordTime, facts: ExchangeFacts, agreement: Agreement) -> SettlementDecision:
    record, side = agreement.record, facts.side
    if record.state == "recorded" and (record.by, record.minutes) == (side, command.minutes):
        return None  # the same again
    refusal = _record_refusal(command, facts, agreement)
    if refusal is not None:
        return refusal
    if record.round >= MAX_RECORDS:
        changed = replace(record, state="unsettled", settle_by=None)
        return SettlementChange(changed, command.words, side, _both("unsettled"))
    if agreement.mode == "hours" and agreement.starts_at is not None:
        is_learner = side == "learner"
        hours = hours_refusal(command.minutes, (agreement.starts_at,), facts.hours, is_learner=is_learner)
        if hours is not None:
            return hours
    changed = replace(
        record, state="recorded", minutes=command.minutes, by=side, round=record.round + 1,
        settle_by=facts.now + OBJECTION_TIME,
    )  # fmt: skip
    kind = "recorded" if record.round == 0 else "objected"
    return SettlementChange(changed, command.words, side, (Email(kind, other_side(side)),))


def _record_refusal(command: RecordTime, facts: ExchangeFacts, agreement: Agreement) -> ExchangeRefusal | None:
    """Return why a side cannot record these minutes, or None."""
    record, side = agreement.record, facts.side
    if not is_quarter(command.minutes) or not 0 <= command.minutes <= MAX_RECORDED_MINUTES:
        return ExchangeRefusal.NOT_QUARTERS
    if record.state == "":
        return _first_record_refusal(facts, agreement)
    if record.state == "recorded" and record.by == side:
        return ExchangeRefusal.CHANGED
    if not can_answer(record, side, facts.now):
        return _over(record)
    return ExchangeRefusal.CHANGED if command.round != record.round else None


def _first_record_refusal(facts: ExchangeFacts, agreement: Agreement) -> ExchangeRefusal | None:
    if facts.side == "learner":
        return ExchangeRefusal.CHANGED
    if agreement.ends_at is None or facts.now < agreement.ends_at:
        return ExchangeRefusal.TOO_EARLY
    return ExchangeRefusal.RECORD_ENDED if _is_late(agreement.record, facts.now) else None


def _confirm(command: ConfirmTime, facts: ExchangeFacts, record: Record) -> SettlementDecision:
    if record.state == "settled" and record.round == command.round and record.by == other_side(facts.side):
        return None  # confirmed before, or by time
    if not can_answer(record, facts.side, facts.now):
        return _over(record)
    if record.round != command.round:
        return ExchangeRefusal.CHANGED
    return SettlementChange(_settled(record, facts.now), emails=_both("settled"))


def _reverse(command: ReverseTime, facts: ExchangeFacts, agreement: Agreement) -> SettlementDecision:
    record, side = agreement.record, facts.side
    if command.wanted and record.state == "reversed":
        return None
    if not can_reverse(record, facts.now):
        return ExchangeRefusal.REVERSAL_ENDED
    if not command.wanted:
        if record.reversal_by == "":
            return None
        emails = (Email("reversal_declined", record.reversal_by),) if record.reversal_by != side else ()
        return SettlementChange(replace(record, reversal_by=""), command.words, side, emails)
    if record.reversal_by == side:
        return None
    if record.reversal_by == "":
        changed = replace(record, reversal_by=side)
        return SettlementChange(changed, command.words, side, (Email("reversal_asked", other_side(side)),))
    if agreement.mode == "hours":
        refusal = return_refusal(record.minutes or 0, facts.hours, is_learner=side == "learner")
        if refusal is not None:
            return refusal
    return SettlementChange(replace(record, state="reversed"), command.words, side, _both("reversed"))


def _pass(now: datetime, record: Record) -> SettlementDecision:
    if record.settle_by is None or now < record.settle_by:
        return None
    if record.state == "recorded":
        return SettlementChange(_settled(record, now), emails=_both("settled"))
    return SettlementChange(replace(record, state="unsettled", settle_by=None), emails=_both("not_recorded"))


def _settled(record: Record, now: datetime) -> Record:
    return replace(record, state="settled", settle_by=None, settled_at=now)


def _is_late(record: Record, now: datetime) -> bool:
    return record.settle_by is None or now >= record.settle_by


def _over(record: Record) -> ExchangeRefusal:
    """Return why nothing can be confirmed or objected to any more."""
    return ExchangeRefusal.RECORD_ENDED if record.state == "unsettled" else ExchangeRefusal.OBJECTION_ENDED


def _both(kind: str) -> tuple[Email, ...]:
    return Email(kind, "learner"), Email(kind, "teacher")
