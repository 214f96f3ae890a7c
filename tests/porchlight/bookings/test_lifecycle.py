"""The effect of each command on a booking in each status, by each side, and what comes with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.changes import NewHold
from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.states import TRANSITIONS, Actor, Status
from tests.porchlight.bookings.states import (
    AHEAD,
    BOOKED,
    BOOKING,
    BOTH,
    CALENDAR,
    HOUR,
    LATER,
    LONG_OVER,
    NOW,
    OTHER,
    OVER,
    PROPOSAL,
    SESSION,
    TO_GURU,
    TO_PERSON,
    booking,
    digest,
    email,
    facts,
    move,
    only,
    session,
    waiting,
    with_session,
)
from tests.porchlight.bookings.test_payment_decisions import CARD, PAYMENT, confirm


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
    "check in": lambda _: commands.CheckIn(id=BOOKING, at=NOW, by="Front door"),
    "undo check-in": lambda _: commands.UndoCheckIn(id=BOOKING, at=NOW),
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
propose           changed   =          =          changed   changed   changed  changed changed
withdraw          changed   changed    changed    changed   changed   changed  changed changed
release           expired   =          =          =         =         =        =       =
book              confirmed expired!   expired!   expired!  expired!  expired! expired! expired!
miss              closed    closed     closed     closed    closed    closed   closed  closed
attend            closed    closed     closed     closed    closed    closed   closed  closed
check in          changed   changed    early      changed   changed   changed  missed! early
undo check-in     =         =          =          =         =         =        =       =
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
propose           changed   late       late       changed   changed   changed  changed   changed
withdraw          changed   changed    changed    changed   changed   changed  changed   changed
miss              changed   changed    missed     changed   changed   changed  changed   missed
attend            changed   changed    changed    changed   changed   changed  confirmed changed
check in          changed   changed    =          changed   changed   changed  missed!   =
undo check-in     =         =          =          =         =         =        =         =
erase             expired   canceled   =          =         =         =        =         =
"""
REFUSALS = {
    "changed": "booking_changed", "expired!": "hold_expired", "closed": "attendance_closed",
    "late": "proposal_too_late", "early": "check_in_early", "missed!": "marked_missed",
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
    paid_late = booking(Status.EXPIRED, is_sent=True, ended_by=Actor.SYSTEM, payment=PAYMENT, terms=CARD)
    for one in (paid_late, replace(paid_late, approval="request")):
        updates = decide(confirm(), facts(one, sessions=[session(live=False)])).change.updates
        reached.add((Status.EXPIRED, updates[-1].values["status"]))
    possible = {(before, after) for before, after_all in TRANSITIONS.items() for after in after_all}
    # A missed session is never completed by the job: it stays missed. A guru may say that the person came after all.
    assert {pair for pair in reached if pair[0] != pair[1]} == possible


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


@pytest.mark.parametrize("actor", [Actor.PERSON, Actor.GURU, Actor.STAFF])
def test_cancellation_raises_the_number_of_the_event(actor: Actor) -> None:
    one = booking(sequence=4)
    assert only(decide(cancel(actor)(one), facts(one))).values["sequence"] == 5


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
