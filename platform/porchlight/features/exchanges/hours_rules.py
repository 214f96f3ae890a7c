"""Modes of exchanges and the limits on hours: pure, without database and clock. All amounts are minutes.

Hours never have a value in money. A balance is hours given less hours taken. Docs: docs/exchanges.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

# direct: the two settle it with each other, and nothing is entered in the ledger.
Mode = Literal["hours", "swap", "free", "direct"]
MODES: tuple[Mode, ...] = ("hours", "swap", "free", "direct")

QUARTER_MINUTES = 15
MAX_RECORDED_MINUTES = 480
MAX_PAIR_MINUTES_A_WEEK = 480
MAX_BALANCE_MINUTES = 6000


@dataclass(frozen=True, slots=True)
class HoursAccount:
    """A person's hours. `reserved`: for agreed sessions; `floor`: the lowest balance (app.hours_floor)."""

    balance: int = 0
    reserved: int = 0
    floor: int = -180


@dataclass(frozen=True, slots=True)
class HoursFacts:
    """The hours of the two people. `held`: what the ledger reserves for this exchange.

    `incoming`: what the teacher's other agreed sessions will bring. `pair`: start and minutes of what the two have
    agreed on or exchanged around the times in question, for hours and in either direction. `zone`: of the weeks.
    """

    learner: HoursAccount = field(default_factory=HoursAccount)
    teacher: HoursAccount = field(default_factory=HoursAccount)
    held: int = 0
    incoming: int = 0
    pair: tuple[tuple[datetime, int], ...] = ()
    zone: str = ""


@dataclass(frozen=True, slots=True)
class HoursRefusal:
    """Why hours are refused. `after`: the balance that it would lead to; `is_own`: of the person who takes the step."""

    reason: Literal["floor", "full", "pair_week"]
    is_own: bool = True
    after: int = 0
    floor: int = 0


def offered_modes(terms: Sequence[str]) -> tuple[Mode, ...]:
    """Return what a session about a listing can be given for. A price is paid to the neighbor directly."""
    return tuple(mode for mode in MODES if ("price" if mode == "direct" else mode) in terms)


def chosen_mode(wanted: Mode | None, terms: Sequence[str]) -> Mode | None:
    """Return what a session is asked for: `wanted`, or without it what the listing names first; None if not offered."""
    offered = offered_modes(terms)
    if wanted is not None:
        return wanted if wanted in offered else None
    return next((mode for term in terms for mode in offered if ("price" if mode == "direct" else mode) == term), None)


def is_quarter(minutes: int) -> bool:
    """Return whether a length is a whole number of quarter hours."""
    return minutes % QUARTER_MINUTES == 0


def hours_refusal(
    minutes: int, starts: Sequence[datetime], facts: HoursFacts, *, is_learner: bool
) -> HoursRefusal | None:
    """Return why minutes can't be exchanged for hours at one of the starts, or None.

    What is held already was checked when it was promised, and stays possible.
    """
    more = minutes - facts.held
    if more <= 0:
        return None
    after = facts.learner.balance - facts.learner.reserved - more
    if after < facts.learner.floor:
        return HoursRefusal("floor", is_own=is_learner, after=after, floor=facts.learner.floor)
    earned = facts.teacher.balance + facts.incoming + minutes
    if earned > MAX_BALANCE_MINUTES:
        return HoursRefusal("full", is_own=not is_learner, after=earned)
    for start in starts:
        week = _week(start, facts.zone)
        if sum(each for at, each in facts.pair if _week(at, facts.zone) == week) + minutes > MAX_PAIR_MINUTES_A_WEEK:
            return HoursRefusal("pair_week")
    return None


def return_refusal(minutes: int, facts: HoursFacts, *, is_learner: bool) -> HoursRefusal | None:
    """Return why hours can't be given back by the teacher, or None. What they have promised others stays theirs."""
    after = facts.teacher.balance - facts.teacher.reserved - minutes
    return HoursRefusal("floor", not is_learner, after, facts.teacher.floor) if after < facts.teacher.floor else None


def hours_text(minutes: int) -> str:
    """Return minutes as people read them, like "4 h 30 min", "-10 h" or "45 min"."""
    whole, rest = divmod(abs(minutes), 60)
    parts = [f"{whole} h"] if whole else []
    if rest or not whole:
        parts.append(f"{rest} min")
    return ("-" if minutes < 0 else "") + " ".join(parts)


def _week(moment: datetime, zone: str) -> date:
    """Return the Monday of a moment's week, by the clock of a zone."""
    day = moment.astimezone(ZoneInfo(zone) if zone else UTC).date()
    return day - timedelta(days=day.weekday())
