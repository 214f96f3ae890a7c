"""The state of an exchange, the facts that its steps depend on, and why a step is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from porchlight.features.exchanges.hours_rules import HoursFacts, HoursRefusal, Mode

Side = Literal["teacher", "learner"]
Status = Literal["asked", "countered", "confirmed", "declined", "canceled", "expired", "completed"]
SIDES: tuple[Side, ...] = ("learner", "teacher")
OPEN: frozenset[str] = frozenset({"asked", "countered"})
RecordState = Literal["", "recorded", "settled", "unsettled", "reversed"]


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
    NOT_OFFERED = "not_offered"  # the listing is not given for what the learner chose
    NOT_QUARTERS = "not_quarters"
    TOO_EARLY = "too_early"  # the session has not ended
    NOTHING_TO_RECORD = "nothing_to_record"  # the two settle it with each other, or it was not agreed on
    RECORD_ENDED = "record_ended"  # nothing was recorded in time, or the two could not agree
    OBJECTION_ENDED = "objection_ended"  # it is settled, or about to be
    REVERSAL_ENDED = "reversal_ended"
    HOURS_TAKEN = "hours_taken"  # by another step at the same moment


class StepRefusedError(Exception):
    """A step was refused. `errors.py` has the errors that people see."""

    def __init__(self, refusal: ExchangeRefusal | HoursRefusal) -> None:
        super().__init__(refusal.value if isinstance(refusal, ExchangeRefusal) else f"hours_{refusal.reason}")
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Record:
    """The recorded time of a session. `minutes` is what the side `by` recorded last, in `round`.

    `settle_by`: until when it can be recorded, then until when the other side can object. `reversal_by`: the side that
    wants it taken back.
    """

    state: RecordState = ""
    minutes: int | None = None
    by: Side | Literal[""] = ""
    round: int = 0
    settle_by: datetime | None = None
    settled_at: datetime | None = None
    reversal_by: Side | Literal[""] = ""


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
    mode: Mode = "direct"
    record: Record = field(default_factory=Record)


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
    hours: HoursFacts = field(default_factory=HoursFacts)


@dataclass(frozen=True, slots=True)
class Email:
    """An email about a step, to one side."""

    kind: str
    side: Side


def other_side(side: Side) -> Side:
    """Return the side that is not `side`."""
    return "learner" if side == "teacher" else "teacher"


def lacks_waiver(risk: str, waiver_until: datetime | None, moment: datetime) -> bool:
    """Return whether a waiver is needed that is valid at a moment, and missing."""
    return risk != "" and (waiver_until is None or waiver_until <= moment)
