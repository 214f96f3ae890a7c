"""Limits on hours: floor, ceiling and the week of a pair, and how minutes are written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.exchanges.hours_rules import (
    MAX_BALANCE_MINUTES,
    MAX_PAIR_MINUTES_A_WEEK,
    HoursAccount,
    HoursFacts,
    HoursRefusal,
    Mode,
    chosen_mode,
    hours_refusal,
    hours_text,
    offered_modes,
    return_refusal,
)

START = datetime(2027, 1, 13, 16, tzinfo=UTC)
DENVER = "America/Denver"


def _refusal(minutes: int, facts: HoursFacts, start: datetime = START, *, is_learner: bool = True) -> str:
    found = hours_refusal(minutes, (start,), facts, is_learner=is_learner)
    return found.reason if found else ""


@pytest.mark.parametrize(
    ("terms", "modes"),
    [
        (["swap"], ("swap",)),
        (["free", "hours"], ("hours", "free")),
        (["price"], ("direct",)),
        (["price", "swap", "hours", "free"], ("hours", "swap", "free", "direct")),
    ],
)
def test_modes_are_those_of_the_listing(terms: list[str], modes: tuple[Mode, ...]) -> None:
    assert offered_modes(terms) == modes


@pytest.mark.parametrize(
    ("wanted", "terms", "mode"),
    [
        ("hours", ["swap", "hours"], "hours"),
        ("free", ["swap", "hours"], None),
        ("direct", ["swap"], None),
        (None, ["swap", "hours"], "swap"),
        (None, ["price", "hours"], "direct"),
    ],
)
def test_mode_is_chosen_from_the_listing(wanted: Mode | None, terms: list[str], mode: Mode | None) -> None:
    assert chosen_mode(wanted, terms) == mode


@pytest.mark.parametrize(
    ("balance", "reserved", "floor", "minutes", "refused"),
    [
        (0, 0, -180, 180, ""),
        (0, 0, -180, 195, "floor"),
        (0, 60, -180, 120, ""),
        (0, 60, -180, 135, "floor"),
        (0, 0, -600, 480, ""),
        (-540, 0, -600, 60, ""),
        (-600, 0, -600, 15, "floor"),
    ],
)
def test_floor_counts_what_is_reserved(balance: int, reserved: int, floor: int, minutes: int, refused: str) -> None:
    assert _refusal(minutes, HoursFacts(learner=HoursAccount(balance, reserved, floor))) == refused


def test_floor_names_balance_to_its_owner_only() -> None:
    facts = HoursFacts(learner=HoursAccount(-600, 0, -600))
    assert hours_refusal(60, (START,), facts, is_learner=True) == HoursRefusal("floor", True, -660, -600)
    other = hours_refusal(60, (START,), facts, is_learner=False)
    assert other is not None
    assert not other.is_own


def test_ceiling_counts_what_is_on_its_way() -> None:
    full = HoursFacts(teacher=HoursAccount(MAX_BALANCE_MINUTES - 120), incoming=60)
    assert _refusal(60, full) == ""
    assert _refusal(75, full) == "full"


def test_held_minutes_stay_possible() -> None:
    facts = HoursFacts(
        learner=HoursAccount(-600, 60, -600), teacher=HoursAccount(MAX_BALANCE_MINUTES), held=60, pair=((START, 480),)
    )
    assert _refusal(60, facts) == ""
    assert _refusal(75, facts) == "floor"


@pytest.mark.parametrize(
    ("zone", "start", "other", "refused"),
    [
        # Sunday evening in Denver is Monday in UTC: another week there.
        (DENVER, "2027-01-18T05:00:00+00:00", "2027-01-18T08:00:00+00:00", ""),
        ("", "2027-01-18T05:00:00+00:00", "2027-01-18T08:00:00+00:00", "pair_week"),
        (DENVER, "2027-01-11T07:00:00+00:00", "2027-01-18T06:59:00+00:00", "pair_week"),
        (DENVER, "2027-01-11T06:59:00+00:00", "2027-01-18T06:59:00+00:00", ""),
        # The week in which clocks change is an hour shorter, and ends at midnight all the same.
        (DENVER, "2027-03-08T07:00:00+00:00", "2027-03-15T05:59:00+00:00", "pair_week"),
        (DENVER, "2027-03-08T07:00:00+00:00", "2027-03-15T06:00:00+00:00", ""),
    ],
)
def test_week_of_pair_follows_the_zone(zone: str, start: str, other: str, refused: str) -> None:
    facts = HoursFacts(
        learner=HoursAccount(3000), zone=zone, pair=((datetime.fromisoformat(other), MAX_PAIR_MINUTES_A_WEEK - 45),)
    )
    assert _refusal(60, facts, datetime.fromisoformat(start)) == refused
    assert _refusal(45, facts, datetime.fromisoformat(start)) == ""


def test_teacher_keeps_hours_promised_to_others() -> None:
    facts = HoursFacts(teacher=HoursAccount(60, 180, -180))
    assert return_refusal(60, facts, is_learner=True) is None
    refused = return_refusal(75, facts, is_learner=False)
    assert refused == HoursRefusal("floor", True, -195, -180)


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(270, "4 h 30 min"), (-600, "-10 h"), (45, "45 min"), (-195, "-3 h 15 min"), (0, "0 min"), (6000, "100 h")],
)
def test_minutes_are_written_for_people(minutes: int, text: str) -> None:
    assert hours_text(minutes) == text


@given(st.lists(st.integers(0, 32), max_size=60), st.integers(-180, 600))
def test_accepted_minutes_never_pass_the_limits(quarters: list[int], balance: int) -> None:
    facts = HoursFacts(learner=HoursAccount(balance), teacher=HoursAccount(5000))
    for minutes in (15 * quarter for quarter in quarters):
        if minutes and not _refusal(minutes, facts):
            learner = replace(facts.learner, reserved=facts.learner.reserved + minutes)
            pair = (*facts.pair, (START + timedelta(hours=len(facts.pair)), minutes))
            facts = replace(facts, learner=learner, incoming=facts.incoming + minutes, pair=pair)
    assert facts.learner.balance - facts.learner.reserved >= facts.learner.floor
    assert facts.teacher.balance + facts.incoming <= MAX_BALANCE_MINUTES
    assert facts.incoming <= 2 * MAX_PAIR_MINUTES_A_WEEK  # the starts of 60 hours lie in two weeks
