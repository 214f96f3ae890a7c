"""The effect of each command on a booking in each status, by each side, and what comes with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.changes import BookingUpdate, NewHold
from porchlight.features.bookings.facts import BookingSnapshot, Facts
from porchlight.features.bookings.following.rest import digest_of
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.states import TRANSITIONS, Actor, Status
from porchlight.features.bookings.terms import terms_at
from tests.porchlight.bookings.states import (
    BOOKING,
    CALENDAR,
    HOUR,
    NOW,
    OTHER,
    PERSON,
    SERVICE,
    SESSION,
    booking,
    facts,
    service,
    session,
    waiting,
    wanted,
    with_session,
)

AHEAD, OVER, LONG_OVER = NOW + 30 * HOUR, NOW - 2 * HOUR, NOW - 30 * HOUR
LATER = NOW + 54 * HOUR
BOOKED = commands.Booked(key="key", digest=b"digest", name="Ada Neighbor")
PROPOSAL: dict[str, Any] = {"proposed_start": LATER, "proposed_until": NOW + HOUR, "proposals": 1}


def digest(one: BookingSnapshot) -> str:
    return terms_at(one, NOW).digest


def move(one: BookingSnapshot, **values: Any) -> commands.Move:
    own: dict[str, Any] = {"first_id": BOOKING, "wanted": {BOOKING: wanted(LATER)}, "terms_digest": digest(one)}
    return commands.Move(**own | values)


def cancel(actor: Actor, **values: Any) -> Callable[[BookingSnapshot], commands.Command]:
    own: dict[str, Any] = {"id": BOOKING, "actor": actor}
    return lambda one: commands.Cancel(**own | {"terms_digest": digest(one)} | values)


COMMANDS: dict[str, Callable[[BookingSnapshot], commands.Command]] = {
    "accept": lambda _: commands.AnswerRequest(id=BOOKING, accept=True),
    "decline": lambda _: commands.AnswerRequest(id=BOOKING, accept=False),
    "cancel by person": cancel(Actor.PERSON),
    "cancel by guru": cancel(Actor.GURU),
    "cancel by staff": cancel(Actor.STAFF),
    "cancel session": lambda _: commands.CancelSession(session_id=SESSION),
    "move": move,
    "propose": lambda one: commands.Propose(starts=[(one, LATER)]),
    "withdraw": lambda _: commands.EndProposal(id=BOOKING),
    "release": lambda _: commands.Release(),
    "book": lambda _: commands.Book(booked=BOOKED, policy="ab", rules_version=CALENDAR.rules_version),
    "miss": lambda _: commands.RecordAttendance(id=BOOKING, missed=True),
    "attend": lambda _: commands.RecordAttendance(id=BOOKING, missed=False),
    "complete": lambda _: commands.Complete(ids=[BOOKING]),
    "erase": lambda _: commands.Erase(),
}
# The status after each command, "=" for the same, or why it is refused. Before the session, and after it.
BEFORE = """
                  held      requested  confirmed  declined  canceled  expired  missed  completed
accept            changed   confirmed  changed    changed   changed   changed  changed changed
decline           changed   declined   changed    changed   changed   changed  changed changed
cancel by person  changed   canceled   canceled   changed   changed   changed  changed changed
cancel by guru    changed   changed    canceled   changed   changed   changed  changed changed
cancel by staff   changed   canceled   canceled   changed   changed   changed  changed changed
cancel session    expired   declined   canceled   changed   changed   changed  =       =
move              changed   changed    =          changed   changed   changed  changed changed
propose           changed   changed    =          changed   changed   changed  changed changed
withdraw          changed   changed    changed    changed   changed   changed  changed changed
release           expired   =          =          =         =         =        =       =
book              confirmed expired!   expired!   expired!  expired!  expired! expired! expired!
miss              closed    closed     closed     closed    closed    closed   closed  closed
attend            closed    closed     closed     closed    closed    closed   closed  closed
complete          =         =          =          =         =         =        =       =
erase             expired   canceled   canceled   =         =         =        =       =
"""
AFTER = """
                  held      requested  confirmed  declined  canceled  expired  missed    completed
accept            changed   confirmed  changed    changed   changed   changed  changed   changed
decline           changed   declined   changed    changed   changed   changed  changed   changed
cancel by person  changed   changed    changed    changed   changed   changed  changed   changed
cancel by guru    changed   changed    changed    changed   changed   changed  changed   changed
cancel by staff   changed   changed    changed    changed   changed   changed  changed   changed
cancel session    changed   changed    changed    changed   changed   changed  changed   changed
move              changed   changed    changed    changed   changed   changed  changed   changed
propose           changed   changed    late       changed   changed   changed  changed   changed
withdraw          changed   changed    changed    changed   changed   changed  changed   changed
miss              changed   changed    missed     changed   changed   changed  changed   missed
attend            changed   changed    changed    changed   changed   changed  confirmed changed
erase             expired   canceled   =          =         =         =        =         =
"""
REFUSALS = {
    "changed": "booking_changed", "expired!": "hold_expired", "closed": "attendance_closed",
    "late": "proposal_too_late",
}  # fmt: skip


def cells(table: str) -> list[tuple[str, Status, str]]:
    """Return command, status and expectation of each cell."""
    head, *rows = table.strip("\n").splitlines()
    statuses = [Status(name) for name in head.split()]
    found = []
    for row in rows:
        name, expected = row[:18].strip(), row[18:].split()
        found += [(name, status, cell) for status, cell in zip(statuses, expected, strict=True)]
    return found


def result(decision: Decision, before: Status) -> str:
    """Return the status after a decision, or why it was refused."""
    if decision.refusal is not None:
        return str(decision.refusal)
    statuses = [one.values["status"] for one in decision.change.updates if "status" in one.values]
    assert len(statuses) <= 1
    return str(statuses[0]) if statuses else "="


@pytest.mark.parametrize(("name", "status", "expected"), cells(BEFORE))
def test_command_before_the_session_has_its_effect(name: str, status: Status, expected: str) -> None:
    one = booking(status, AHEAD, is_token=True)
    decision = decide(COMMANDS[name](one), facts(one))
    assert result(decision, status) == REFUSALS.get(expected, expected)


@pytest.mark.parametrize(("name", "status", "expected"), cells(AFTER))
def test_command_after_the_session_has_its_effect(name: str, status: Status, expected: str) -> None:
    one = booking(status, OVER, is_token=True)
    decision = decide(COMMANDS[name](one), facts(one))
    assert result(decision, status) == REFUSALS.get(expected, expected)


def test_each_new_status_follows_from_the_one_before() -> None:
    reached = set()
    for name, command in COMMANDS.items():
        for starts_at in (AHEAD, OVER, LONG_OVER):
            for status in Status:
                one = booking(status, starts_at, is_token=True)
                for update in decide(command(one), facts(one)).change.updates:
                    after = update.values.get("status", status)
                    assert after == status or after in TRANSITIONS[status], (name, status, after)
                    reached.add((status, after))
    one = booking(Status.HELD, is_token=True, approval="request")
    (asked,) = decide(COMMANDS["book"](one), facts(one)).change.updates
    reached.add((Status.HELD, asked.values["status"]))
    late = booking(Status.REQUESTED, expires_at=NOW)
    (lapsed,) = decide(commands.Expire(), facts(late)).change.updates
    reached.add((Status.REQUESTED, lapsed.values["status"]))
    possible = {(before, after) for before, after_all in TRANSITIONS.items() for after in after_all}
    # A missed session is never completed by the job: it stays missed. A guru may say that the person came after all.
    assert {pair for pair in reached if pair[0] != pair[1]} == possible


def only(decision: Decision) -> BookingUpdate:
    (update,) = decision.change.updates
    return update


def email(update: BookingUpdate | NewHold) -> tuple[str, tuple[str, ...]] | None:
    return (str(update.email.kind), update.email.sides) if update.email else None


BOTH, TO_PERSON, TO_GURU = ("person", "guru"), ("person",), ("guru",)


@pytest.mark.parametrize(
    ("name", "before", "kind", "sides", "actor"),
    [
        ("book", booking(Status.HELD, is_token=True), "booked", BOTH, "person"),
        ("book", booking(Status.HELD, is_token=True, approval="request"), "requested", BOTH, "person"),
        ("accept", booking(Status.REQUESTED), "accepted", BOTH, "guru"),
        ("decline", booking(Status.REQUESTED), "declined", TO_PERSON, "guru"),
        ("cancel by person", booking(Status.REQUESTED), "withdrawn", TO_GURU, "person"),
        ("cancel by person", booking(), "canceled", BOTH, "person"),
        ("cancel by person", booking(**PROPOSAL), "move_declined", BOTH, "person"),
        ("cancel by guru", booking(), "canceled", BOTH, "guru"),
        ("cancel by guru", booking(**PROPOSAL), "canceled", BOTH, "guru"),
        ("cancel by staff", booking(), "canceled", BOTH, "staff"),
        ("cancel by staff", booking(Status.REQUESTED), "canceled", BOTH, "staff"),
        ("move", booking(), "moved", BOTH, "person"),
        ("propose", booking(), "proposed", TO_PERSON, "guru"),
        ("withdraw", booking(**PROPOSAL), "proposal_withdrawn", TO_PERSON, "guru"),
        ("release", booking(Status.HELD, is_token=True), None, (), "person"),
        ("miss", booking(starts_at=OVER), None, (), "guru"),
        ("complete", booking(starts_at=LONG_OVER), None, (), "system"),
    ],
)
def test_change_emails_the_sides_that_need_it(
    name: str, before: BookingSnapshot, kind: str | None, sides: tuple[str, ...], actor: str
) -> None:
    update = only(decide(COMMANDS[name](before), facts(before)))
    assert email(update) == ((kind, sides) if kind else None)
    assert update.actor == actor


@pytest.mark.parametrize(
    ("before", "event", "kind"),
    [
        (booking(Status.HELD, expires_at=NOW), "expired", None),
        (booking(Status.REQUESTED, expires_at=NOW), "expired", "expired"),
        (booking(**PROPOSAL | {"proposed_until": NOW}), "proposal_expired", "proposal_expired"),
    ],
)
def test_due_booking_ends_with_each_command(before: BookingSnapshot, event: str, kind: str | None) -> None:
    for command in (commands.Expire(), commands.AnswerRequest(id=OTHER, accept=True)):
        update = only(decide(command, facts(before)))
        assert (update.event, update.actor, update.email and update.email.kind) == (event, "system", kind)


def test_late_cancellation_costs_what_the_terms_say() -> None:
    for starts_at, owed in ((NOW + 25 * HOUR, 0), (NOW + 24 * HOUR, 2251), (NOW + HOUR, 2251)):
        one = booking(starts_at=starts_at)
        assert only(decide(cancel(Actor.PERSON)(one), facts(one))).values["owed_cents"] == owed
        assert only(decide(cancel(Actor.GURU)(one), facts(one))).values["owed_cents"] == 0
        assert only(decide(cancel(Actor.STAFF)(one), facts(one))).values["owed_cents"] == 0
        proposed = replace(one, **PROPOSAL)
        assert only(decide(cancel(Actor.PERSON)(proposed), facts(proposed))).values["owed_cents"] == 0


def test_cancellation_on_other_terms_is_refused() -> None:
    one = booking()
    other = cancel(Actor.PERSON, terms_digest="other")
    assert decide(other(one), facts(one)).refusal == "terms_changed"
    asked = booking(Status.REQUESTED)
    assert decide(other(asked), facts(asked)).refusal is None


def test_missed_session_costs_its_share_until_taken_back() -> None:
    one = booking(starts_at=OVER)
    update = only(decide(COMMANDS["miss"](one), facts(one)))
    assert (update.values["owed_cents"], update.values["ended_by"]) == (4501, "guru")
    missed = replace(one, status=Status.MISSED)
    back = only(decide(COMMANDS["attend"](missed), facts(missed)))
    assert (back.values["owed_cents"], back.values["ended_by"], back.values["ended_at"]) == (0, "", None)


@pytest.mark.parametrize(
    ("ended", "missed", "refusal"),
    [(0, True, None), (47.9, True, None), (48, True, "attendance_closed"), (-0.1, True, "attendance_closed")],
)
def test_attendance_is_recorded_for_two_days(ended: float, missed: bool, refusal: str | None) -> None:
    one = booking(starts_at=NOW - (1 + ended) * HOUR)
    decision = decide(commands.RecordAttendance(id=BOOKING, missed=missed), facts(one))
    assert decision.refusal == refusal


def test_attended_session_is_completed_after_a_day() -> None:
    for ended, status in ((23.9, "confirmed"), (24, "completed")):
        one = booking(Status.MISSED, NOW - (1 + ended) * HOUR)
        assert only(decide(COMMANDS["attend"](one), facts(one))).values["status"] == status


def test_session_is_completed_24_hours_after_its_end() -> None:
    for ended, status in ((23.9, "="), (24, "completed")):
        one = booking(starts_at=NOW - (1 + ended) * HOUR)
        assert result(decide(COMMANDS["complete"](one), facts(one)), one.status) == status


def test_move_keeps_price_and_counts() -> None:
    one = booking(**PROPOSAL)
    decision = decide(move(one), facts(one))
    update = only(decision)
    assert decision.change.ended == [SESSION]
    ((new, _),) = decision.change.sessions
    assert (new.starts_at, new.capacity, update.values["appointment_id"]) == (LATER, 3, new.id)
    assert (update.values["moves"], update.values["sequence"]) == (1, 1)
    assert (update.values["proposed_start"], update.details["from"], update.details["to"]) == (None, AHEAD, LATER)
    assert not {"price_cents", "terms", "owed_cents"} & update.values.keys()


def test_late_move_keeps_its_cost() -> None:
    late = booking(starts_at=NOW + 2 * HOUR)
    assert only(decide(move(late), facts(late))).values["late_since"] == NOW
    known = replace(late, late_since=NOW - HOUR)
    assert "late_since" not in only(decide(move(known), facts(known))).values
    early = booking()
    assert "late_since" not in only(decide(move(early), facts(early))).values


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"moves": 2}, "moves_used"),
        ({"starts_at": NOW + HOUR}, "move_too_late"),
        ({"starts_at": NOW + 1.1 * HOUR}, None),
    ],
)
def test_move_follows_the_terms(values: dict[str, Any], refusal: str | None) -> None:
    one = booking(**values)
    assert decide(move(one), facts(one)).refusal == refusal


def test_accepted_proposal_is_no_move_of_the_terms() -> None:
    one = booking(moves=2, **PROPOSAL)
    update = only(decide(move(one, is_counted=False), facts(one)))
    assert email(update) == ("move_accepted", BOTH)
    assert "moves" not in update.values
    gone = replace(one, proposed_start=LATER + HOUR)
    assert decide(move(gone, is_counted=False), facts(gone)).refusal == "proposal_ended"
    closed = replace(one, proposed_until=NOW)
    assert decide(move(closed, is_counted=False), facts(closed)).refusal == "proposal_ended"


def test_move_into_a_full_or_busy_time_is_refused() -> None:
    one = booking()
    for other, refusal in (
        (session(LATER, id=OTHER, capacity=2, taken=2), "session_full"),
        (session(LATER, id=OTHER, taken=1, waitlist=(waiting(1, 3),)), "session_full"),
        (session(LATER + HOUR / 2, id=OTHER, taken=1), "slot_taken"),
        (session(LATER + HOUR / 2, id=OTHER, service_id=None, kind="block"), "slot_taken"),
        (session(LATER, id=OTHER, taken=1, seated=frozenset({PERSON})), "already_booked"),
        (session(LATER + HOUR, id=OTHER, taken=1), None),
        (session(LATER, id=OTHER, taken=1), None),
    ):
        found = facts(one)
        decision = decide(move(one), replace(found, sessions=[*found.sessions, other]))
        assert decision.refusal == refusal, other
        assert bool(decision.change) == (refusal is None)


def test_move_by_old_rules_is_stale() -> None:
    one = booking()
    by_old = {BOOKING: wanted(LATER, rules_version=6)}
    assert decide(move(one, wanted=by_old), facts(one)).refusal == "stale"


@pytest.mark.parametrize(
    ("values", "session_place", "left", "place"),
    [
        ({}, None, {}, ("online", "")),
        ({}, ("guru", "1 Oak St"), {}, ("guru", "1 Oak St")),
        ({"place": "guru", "place_text": "Old hall"}, None, {"fixed": True, "place": "guru"}, ("online", "")),
        ({"place": "person", "person_address": "2 Elm St"}, None, {}, ("person", "")),
    ],
)
def test_move_takes_the_place_of_its_session(
    values: dict[str, Any], session_place: tuple[str, str] | None, left: dict[str, Any], place: tuple[str, str]
) -> None:
    one = booking(**values)
    place_of = dict(zip(("place", "place_text"), session_place or (None, None), strict=True))
    found = with_session(facts(one), **left)
    new = session(LATER, id=OTHER, taken=1, **place_of)
    update = only(decide(move(one), replace(found, sessions=[*found.sessions, new])))
    assert (update.values["place"], update.values["place_text"]) == place
    assert update.values.get("person_address") == (None if place[0] == "person" else "")


def test_canceled_session_ends_everything_in_it() -> None:
    people = [UUID(int=40 + number) for number in range(3)]
    statuses = (Status.HELD, Status.REQUESTED, Status.CONFIRMED)
    rows = [
        booking(status, id=UUID(int=50 + number), person_id=person)
        for number, (status, person) in enumerate(zip(statuses, people, strict=True))
    ]
    found = facts(*rows, waitlist=(waiting(1), waiting(2, status="offered", person_id=people[0])))
    change = decide(commands.CancelSession(session_id=SESSION, reason="Flooded."), found).change
    assert [(one.values["status"], one.actor) for one in change.updates] == [
        ("expired", "guru"), ("declined", "guru"), ("canceled", "guru"),
    ]  # fmt: skip
    assert [one.values.get("reason") for one in change.updates] == [None, "Flooded.", "Flooded."]
    assert [(one.number, one.status, one.is_notified) for one in change.waitlist] == [
        (1, "lapsed", True), (2, "lapsed", True),
    ]  # fmt: skip
    assert (change.ended, change.sessions) == ([SESSION], [])
    assert not any(isinstance(one, NewHold) for one in change.bookings)


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
    taken = decide(COMMANDS["book"](held), facts(held, waitlist=queue)).change
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


def test_place_change_reaches_everyone_who_booked() -> None:
    rows = [
        booking(status, id=UUID(int=50 + number), person_id=UUID(int=60 + number))
        for number, status in enumerate((Status.HELD, Status.REQUESTED, Status.CONFIRMED))
    ]
    command = commands.ChangePlace(session_id=SESSION, place="guru", place_text="1 Oak St")
    updates = decide(command, facts(*rows)).change.updates
    assert [(one.event, email(one)) for one in updates] == [
        ("", None), ("", None), ("place_changed", ("place_changed", BOTH)),
    ]  # fmt: skip
    assert [one.values.get("sequence") for one in updates] == [None, None, 1]
    same = commands.ChangePlace(session_id=SESSION, place="online", place_text="")
    assert not decide(same, facts(*rows)).change
    at_person = commands.ChangePlace(session_id=SESSION, place="person", place_text="")
    assert decide(at_person, facts(*rows)).refusal == "no_address"


def test_new_address_is_news_of_a_confirmed_session_only() -> None:
    for status, sequence, kind in ((Status.REQUESTED, None, None), (Status.CONFIRMED, 1, ("address_changed", BOTH))):
        one = booking(status, place="person", person_address="1 Elm St")
        command = commands.ChangeAddress(id=BOOKING, address="2 Elm St", changes=9)
        update = only(decide(command, facts(one)))
        assert (update.values.get("sequence"), email(update)) == (sequence, kind)
        assert not decide(replace(command, address="1 Elm St"), facts(one)).change
        assert decide(replace(command, changes=10), facts(one)).refusal == "too_many_addresses"
    elsewhere = booking()
    assert decide(command, facts(elsewhere)).refusal == "booking_changed"


def test_clock_rules_move_open_bookings() -> None:
    rows = [
        booking(status, id=UUID(int=50 + number), person_id=UUID(int=60 + number))
        for number, status in enumerate(Status)
    ]
    command = commands.FollowClocks(session_id=SESSION, starts_at=AHEAD + HOUR, ends_at=AHEAD + 2 * HOUR)
    updates = decide(command, facts(*rows)).change.updates
    assert [email(one) for one in updates] == [None, None, ("clocks_changed", BOTH)]
    assert {one.values["starts_at"] for one in updates} == {AHEAD + HOUR}


def test_several_of_a_series_have_one_email() -> None:
    rows = [
        booking(Status.REQUESTED, AHEAD, id=UUID(int=50 + number), series_id=OTHER, expires_at=NOW)
        for number in range(3)
    ]
    updates = decide(commands.Expire(), facts(*rows)).change.updates
    assert [one.values["status"] for one in updates] == ["expired"] * 3
    assert [email(one) for one in updates] == [("expired", TO_PERSON), None, None]


def series(status: Status, **values: Any) -> list[BookingSnapshot]:
    """Return three bookings of a series, of which the last one is another person's."""
    people = (PERSON, PERSON, OTHER)
    return [
        booking(status, AHEAD + number * HOUR, id=UUID(int=50 + number), person_id=person, series_id=OTHER, **values)
        for number, person in enumerate(people)
    ]


def ids(decision: Decision) -> list[int]:
    return [one.id.int for one in decision.change.updates]


def test_answer_of_series_is_for_its_open_requests() -> None:
    first, second, other = series(Status.REQUESTED)
    rows = facts(first, second, other)
    one = commands.AnswerRequest(id=first.id, accept=True)
    assert ids(decide(one, rows)) == [50]
    assert ids(decide(replace(one, whole_series=True), rows)) == [50, 51]
    answered = facts(first, replace(second, status=Status.CONFIRMED, expires_at=None), other)
    assert ids(decide(replace(one, whole_series=True), answered)) == [50]
    alone = facts(booking(Status.REQUESTED), booking(Status.REQUESTED, id=OTHER))
    assert len(ids(decide(commands.AnswerRequest(id=BOOKING, accept=True, whole_series=True), alone))) == 1


def test_rest_of_series_is_canceled_on_its_terms() -> None:
    first, second, other = series(Status.CONFIRMED)
    rows = facts(first, second, other)
    seen = digest_of([first, second], NOW)
    rest = commands.Cancel(id=first.id, actor=Actor.PERSON, following=True, terms_digest=seen)
    assert ids(decide(rest, rows)) == [50, 51]
    assert decide(replace(rest, terms_digest=digest(first)), rows).refusal == "terms_changed"
    last = replace(rest, id=second.id, terms_digest=digest_of([second], NOW))
    assert ids(decide(last, rows)) == [51]
    by_guru = commands.Cancel(id=first.id, actor=Actor.GURU, following=True)
    assert ids(decide(by_guru, rows)) == [50, 51]
    asked = facts(first, replace(second, status=Status.REQUESTED, expires_at=LATER), other)
    assert [one.values["status"] for one in decide(by_guru, asked).change.updates] == ["canceled", "declined"]
    over = facts(replace(first, starts_at=NOW), second, other)
    assert decide(by_guru, over).refusal == "booking_changed"


def test_declined_proposal_cancels_for_free() -> None:
    late: dict[str, Any] = {"starts_at": NOW + 2 * HOUR}
    one = booking(**late, **PROPOSAL)
    decline = commands.Cancel(id=BOOKING, actor=Actor.PERSON, proposed_start=LATER)
    update = only(decide(decline, facts(one)))
    assert (update.values["owed_cents"], email(update)) == (0, ("move_declined", BOTH))
    assert decide(replace(decline, proposed_start=LATER + HOUR), facts(one)).refusal == "proposal_ended"
    assert decide(decline, facts(booking(**late))).refusal == "proposal_ended"
    first, second, other = series(Status.CONFIRMED, **PROPOSAL)
    whole = replace(decline, id=first.id, following=True)
    assert ids(decide(whole, facts(first, second, other))) == [50, 51]
    assert ids(decide(replace(whole, following=False), facts(first, second, other))) == [50]
    no_more = replace(second, proposed_start=None, proposed_until=None)
    assert ids(decide(whole, facts(first, no_more, other))) == [50]


def test_withdrawn_proposals_are_those_of_the_series() -> None:
    first, second, other = series(Status.CONFIRMED, **PROPOSAL)
    withdraw = commands.EndProposal(id=first.id)
    assert ids(decide(withdraw, facts(first, second, other))) == [50]
    updates = decide(replace(withdraw, whole_series=True), facts(first, second, other)).change.updates
    assert [(one.id.int, email(one)) for one in updates] == [(50, ("proposal_withdrawn", TO_PERSON)), (51, None)]


def test_proposal_lapses_only_for_its_start() -> None:
    one = booking(**PROPOSAL)
    lapse = commands.EndProposal(id=BOOKING, lapsed_start=LATER)
    assert email(only(decide(lapse, facts(one)))) == ("proposal_lapsed", TO_GURU)
    assert decide(replace(lapse, lapsed_start=AHEAD), facts(one)).refusal == "proposal_ended"
    assert decide(lapse, facts(booking())).refusal == "proposal_ended"


def test_proposal_needs_the_booking_that_the_guru_saw() -> None:
    seen = booking()
    propose = commands.Propose(starts=[(seen, LATER)], reason="Oven broke")
    update = only(decide(propose, facts(seen)))
    assert update.values["proposed_until"] == NOW + 24 * HOUR
    assert (update.values["proposals"], update.details) == (1, {"to": LATER, "reason": "Oven broke"})
    for changed in (replace(seen, starts_at=LATER), replace(seen, proposals=1), replace(seen, **PROPOSAL)):
        assert decide(propose, facts(changed)).refusal == "booking_changed"
    soon = booking(starts_at=NOW + 2 * HOUR)
    assert decide(commands.Propose(starts=[(soon, LATER)]), facts(soon)).refusal == "proposal_too_late"


def test_unbooked_session_ends_and_tells_who_waits() -> None:
    end = commands.EndSession(session_id=SESSION)
    empty = replace(facts(), sessions=[session(fixed=True, waitlist=(waiting(1, 4),))])
    change = decide(end, empty).change
    assert (change.ended, [(one.status, one.is_notified) for one in change.waitlist]) == ([SESSION], [("lapsed", True)])
    assert decide(end, facts(booking())).refusal == "already_booked"
    assert decide(end, with_session(empty, live=False)).refusal == "booking_changed"
    assert decide(end, facts()).change.ended == []


@pytest.mark.parametrize("values", [{"live": False}, {"ends_at": NOW}])
def test_ended_session_is_not_changed(values: dict[str, Any]) -> None:
    place = commands.ChangePlace(session_id=SESSION, place="guru", place_text="1 Oak St")
    for command in (place, commands.CancelSession(session_id=SESSION)):
        assert decide(command, with_session(facts(booking()), **values)).refusal == "booking_changed"
        assert decide(command, replace(facts(), sessions=[])).refusal == "booking_changed"


def test_address_is_changed_until_the_session_ends() -> None:
    command = commands.ChangeAddress(id=BOOKING, address="2 Elm St", changes=0)
    for status, starts_at, refusal in (
        (Status.CONFIRMED, NOW - HOUR, "booking_changed"),
        (Status.CONFIRMED, NOW - HOUR / 2, None),
        (Status.CANCELED, AHEAD, "booking_changed"),
    ):
        one = booking(status, starts_at, place="person", person_address="1 Elm St")
        assert decide(command, facts(one)).refusal == refusal


def test_deleted_account_keeps_what_is_over_or_of_others() -> None:
    own = booking(starts_at=NOW + HOUR)
    other = booking(id=OTHER, person_id=OTHER, starts_at=NOW + HOUR)
    updates = decide(commands.Erase(), facts(own, other)).change.updates
    assert [(one.id, one.values["owed_cents"]) for one in updates] == [(BOOKING, 2251)]
    assert not decide(commands.Erase(), facts(booking(starts_at=NOW))).change


def test_unlocked_facts_change_nothing() -> None:
    one = booking(Status.HELD, is_token=True)
    decision = decide(commands.Release(), facts(one, is_locked=False))
    assert (decision.refusal, bool(decision.change)) == ("stale", False)
