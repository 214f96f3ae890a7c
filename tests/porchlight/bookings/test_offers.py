"""The waitlist of a full session: who is offered freed seats, and who may wait."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.changes import NewHold
from porchlight.features.bookings.facts import Facts
from porchlight.features.bookings.lifecycle import decide
from porchlight.features.bookings.states import Actor, Status
from tests.porchlight.bookings.states import (
    AHEAD,
    BOOKED,
    BOOKING,
    CALENDAR,
    HOUR,
    NOW,
    OTHER,
    PERSON,
    SERVICE,
    SESSION,
    TO_PERSON,
    booking,
    email,
    facts,
    service,
    session,
    waiting,
    with_session,
)


def offers(found: Facts, command: commands.Command) -> list[tuple[UUID | None, int]]:
    """Return who is offered seats by a command, and how many."""
    holds = [one for one in decide(command, found).change.bookings if isinstance(one, NewHold)]
    assert all(email(one) == ("spot_free", TO_PERSON) for one in holds)
    return [(one.person_id, one.party) for one in holds]


def full(*waitlist: Any, starts_at: datetime = AHEAD, **values: Any) -> Facts:
    """Return the facts of a full session, of which the person has two of three seats."""
    own, other = booking(party=2, starts_at=starts_at), booking(id=OTHER, person_id=OTHER, starts_at=starts_at)
    return facts(own, other, waitlist=waitlist, **values)


FREED = commands.Cancel(id=BOOKING, actor=Actor.GURU)


def test_freed_seats_go_to_the_first_whose_party_fits() -> None:
    first, large, third = waiting(1), waiting(2, 3), waiting(3)
    assert offers(full(first, large, third), FREED) == [(first.person_id, 1), (third.person_id, 1)]
    assert offers(full(large, third), FREED) == [(third.person_id, 1)]
    assert offers(full(waiting(1, 2), third), FREED) == [(waiting(1).person_id, 2)]
    assert offers(full(), FREED) == []


@pytest.mark.parametrize(
    "values",
    [
        {"calendar": replace(CALENDAR, is_active=False)},
        {"calendar": replace(CALENDAR, takes_bookings=False)},
        {"calendar": replace(CALENDAR, notice_minutes=31 * 60)},
        {"services": [service(open=False)]},
        {"services": []},
    ],
)
def test_seats_are_not_offered_without_bookings(values: dict[str, Any]) -> None:
    assert offers(full(waiting(1), **values), FREED) == []


def test_offer_needs_time_to_be_taken() -> None:
    calendar = replace(CALENDAR, notice_minutes=0)
    for minutes, approval, count in ((14, "instant", 0), (16, "instant", 1), (44, "request", 0), (46, "request", 1)):
        starts_at = NOW + minutes * HOUR / 60
        found = full(waiting(1), starts_at=starts_at, calendar=calendar, services=[service(approval=approval)])
        assert len(offers(found, FREED)) == count, minutes


def test_person_with_a_seat_is_offered_none() -> None:
    found = with_session(full(waiting(1)), seated=frozenset({waiting(1).person_id}))
    decision = decide(FREED, found)
    assert [(one.number, one.status) for one in decision.change.waitlist] == [(1, "taken")]
    assert offers(found, FREED) == []


def test_seats_free_since_a_pause_are_offered_by_any_command() -> None:
    one = booking()
    found = facts(one, waitlist=(waiting(1),))
    assert offers(found, commands.Expire()) == [(waiting(1).person_id, 1)]


def test_booked_offer_is_taken_and_lapsed_one_goes_on() -> None:
    held = booking(Status.HELD, is_token=True, is_offer=True)
    queue = (waiting(1, person_id=PERSON, status="offered"), waiting(2, 3))
    taken = decide(
        commands.Book(booked=BOOKED, policy="ab", rules_version=CALENDAR.rules_version), facts(held, waitlist=queue)
    ).change
    assert [(one.number, one.status) for one in taken.waitlist] == [(1, "taken")]
    lapsed = replace(held, expires_at=NOW)
    change = decide(commands.Expire(), facts(lapsed, waitlist=queue)).change
    assert [(one.number, one.status) for one in change.waitlist] == [(1, "lapsed"), (2, "offered")]


def test_joining_again_keeps_the_place() -> None:
    queue = (waiting(1, person_id=PERSON),)
    join = commands.JoinWaitlist(service_id=SERVICE, starts_at=AHEAD, party=1, waits_for=0)
    other = booking(person_id=OTHER, party=3)
    decision = decide(join, facts(other, waitlist=queue))
    assert (decision.refusal, bool(decision.change), decision.booking_id) == (None, False, SESSION)


@pytest.mark.parametrize(
    ("values", "party", "waits_for", "refusal"),
    [
        ({}, 1, 0, None),
        ({"taken": 2}, 1, 0, "session_has_spots"),
        ({"taken": 2, "waitlist": (waiting(1, 2),)}, 1, 0, None),
        ({"capacity": 1, "taken": 1}, 1, 0, "slot_taken"),
        ({}, 4, 0, "party_too_large"),
        ({"seated": frozenset({PERSON})}, 1, 0, "already_booked"),
        ({"waitlist": tuple(waiting(number, 3) for number in range(1, 101))}, 1, 0, "waitlist_full"),
        ({}, 1, 20, "too_many_waitlists"),
        ({}, 1, 19, None),
        ({"live": False}, 1, 0, "slot_gone"),
    ],
)
def test_waiting_needs_a_full_session(values: dict[str, Any], party: int, waits_for: int, refusal: str | None) -> None:
    join = commands.JoinWaitlist(service_id=SERVICE, starts_at=AHEAD, party=party, waits_for=waits_for)
    found = with_session(facts(booking(person_id=OTHER, party=3)), **values)
    assert decide(join, found).refusal == refusal


def test_left_offer_goes_to_the_next() -> None:
    held = booking(Status.HELD, is_offer=True)
    queue = (waiting(1, person_id=PERSON, status="offered"), waiting(2))
    found = with_session(facts(held, waitlist=queue), capacity=1)
    change = decide(commands.LeaveWaitlist(session_id=SESSION), found).change
    assert [(one.number, one.status) for one in change.waitlist] == [(1, "left"), (2, "offered")]
    assert [one.values["status"] for one in change.updates] == ["expired"]


def test_unbooked_session_ends_and_tells_who_waits() -> None:
    end = commands.EndSession(session_id=SESSION)
    empty = replace(facts(), sessions=[session(fixed=True, waitlist=(waiting(1, 4),))])
    change = decide(end, empty).change
    assert (change.ended, [(one.status, one.is_notified) for one in change.waitlist]) == ([SESSION], [("lapsed", True)])
    assert decide(end, facts(booking())).refusal == "already_booked"
    assert decide(end, with_session(empty, live=False)).refusal == "booking_changed"
    assert decide(end, facts()).change.ended == []
