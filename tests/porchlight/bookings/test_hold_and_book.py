"""Holding and booking seats, the limits of holds, and when holds, requests and offers expire."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings import commands
from porchlight.features.bookings.changes import NewHold
from porchlight.features.bookings.expiry import add_waking_time, offer_until, request_until
from porchlight.features.bookings.facts import BookingSnapshot, CountedHold, Facts, HoldUsage, WaiverSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.limits import limit_reached, share_of_address
from porchlight.features.bookings.states import Status
from tests.porchlight.bookings.states import (
    BOOKING,
    CALENDAR,
    HOUR,
    NOW,
    OTHER,
    PERSON,
    SESSION,
    booking,
    facts,
    service,
    session,
    waiting,
    wanted,
)

START = NOW + 30 * HOUR
MINUTE = timedelta(minutes=1)
NEW = UUID(int=90)
VERSION = CALENDAR.rules_version
BOOKED = commands.Booked(
    key="key", digest=b"digest", name="Ada", participants=["Bo"], note="Hi", address="1 Elm", zone="UTC"
)


def seats(*sessions: Any, **values: Any) -> Facts:
    """Return the facts before a hold."""
    return replace(facts(), sessions=list(sessions), **values)


def hold(**values: Any) -> commands.HoldSeats:
    own: dict[str, Any] = {
        "id": NEW, "seats": wanted(START), "party": 1, "token": b"token", "address": b"address", "max_of_visitors": 4,
    }  # fmt: skip
    return commands.HoldSeats(**own | values)


def visitors(others: int, at_address: int = 0, *, start: datetime = START) -> tuple[CountedHold, ...]:
    """Return holds of visitors of other network addresses and of the command's own."""
    return tuple(
        CountedHold(id=UUID(int=200 + number), starts_at=start, is_address=number >= others)
        for number in range(others + at_address)
    )


def new_hold(decision: Decision) -> NewHold:
    (made,) = [one for one in decision.change.bookings if isinstance(one, NewHold)]
    return made


def test_hold_adds_a_session_with_its_breaks() -> None:
    found = seats(services=[service(setup_minutes=10, cleanup_minutes=20)])
    decision = decide(hold(party=2), found)
    ((made, local_start),) = decision.change.sessions
    assert (made.starts_at, made.ends_at, made.capacity) == (START, START + HOUR, 3)
    assert (made.blocked_from, made.blocked_until) == (START - 10 * MINUTE, START + 80 * MINUTE)
    assert local_start == wanted(START).local_start
    held = new_hold(decision)
    assert (held.appointment_id, held.person_id, held.party, held.token) == (made.id, PERSON, 2, b"token")
    assert decision.held_until == held.expires_at == NOW + 10 * MINUTE


@pytest.mark.parametrize(("version", "named"), [(0, {0}), (7, {7}), (None, set())])
def test_change_names_the_version_of_its_facts(version: int | None, named: set[int]) -> None:
    found = decide(hold(), seats()).change.json(NOW, version=version)
    assert {found[name] for name in found if name == "version"} == named


def test_hold_takes_the_last_seats_of_a_session() -> None:
    decision = decide(hold(party=2), seats(session(START, taken=1)))
    assert (decision.refusal, decision.change.sessions) == (None, [])
    assert new_hold(decision).appointment_id == SESSION


@pytest.mark.parametrize(
    ("sessions", "values", "command", "refusal"),
    [
        ([session(START, taken=2)], {}, {"party": 2}, "session_full"),
        ([session(START, taken=1, waitlist=(waiting(1, 3),))], {}, {}, "session_full"),
        ([session(START, taken=1, seated=frozenset({PERSON}))], {}, {}, "already_booked"),
        ([session(START, id=OTHER, service_id=OTHER)], {}, {}, "slot_taken"),
        ([session(START - 59 * MINUTE, id=OTHER)], {}, {}, "slot_taken"),
        ([session(START - 60 * MINUTE, id=OTHER)], {}, {}, None),
        ([session(START + 60 * MINUTE, id=OTHER)], {}, {}, None),
        ([session(START, live=False)], {}, {}, None),
        ([], {"busy": [(START - HOUR, START)]}, {}, None),
        ([], {"busy": [(START - HOUR, START + MINUTE)]}, {}, "slot_taken"),
        ([], {"busy": [(START + 59 * MINUTE, START + 2 * HOUR)]}, {}, "slot_taken"),
        ([], {"busy": [(START + HOUR, START + 2 * HOUR)]}, {}, None),
        ([], {"busy": [(START - HOUR, START)], "services": [service(setup_minutes=5)]}, {}, "slot_taken"),
        ([session(START, taken=1)], {"busy": [(START, START + HOUR)]}, {}, None),
        ([], {}, {"party": 4}, "party_too_large"),
        ([], {"services": [service(capacity=1)]}, {"party": 2}, "session_full"),
        ([], {"services": [service(starts="fixed")]}, {}, "slot_gone"),
        ([], {"services": [service(open=False)]}, {}, "slot_gone"),
        ([], {"services": [service(over_limit=True)]}, {}, "slot_gone"),
        ([], {"services": [service(minutes=None)]}, {}, "slot_gone"),
        ([], {"services": []}, {}, "slot_gone"),
        ([], {"calendar": None}, {}, "slot_gone"),
        ([], {"calendar": replace(CALENDAR, is_active=False)}, {}, "slot_gone"),
        ([], {}, {"seats": wanted(NOW)}, "slot_gone"),
        ([], {}, {"seats": wanted(START, rules_version=VERSION - 1)}, "stale"),
        ([], {"usage": HoldUsage(own_held=2)}, {}, "own_limit"),
        ([], {"usage": HoldUsage(own_held=2)}, {"seats": wanted(START, rules_version=-1)}, "stale"),
    ],
)
def test_hold_needs_a_free_start(
    sessions: list[Any], values: dict[str, Any], command: dict[str, Any], refusal: str | None
) -> None:
    decision = decide(hold(**command), seats(*sessions, **values))
    assert (decision.refusal, bool(decision.change)) == (refusal, refusal is None)


def test_day_takes_its_greatest_number_of_sessions() -> None:
    full = replace(CALENDAR, day_max=2)
    first, last = wanted(START).day
    same_day = [session(first, id=UUID(int=1)), session(last - HOUR, id=UUID(int=2))]
    assert decide(hold(), seats(*same_day, calendar=full)).refusal == "slot_taken"
    for other in (session(last, id=UUID(int=2)), session(last - HOUR, id=UUID(int=2), kind="block", service_id=None)):
        assert decide(hold(), seats(same_day[0], other, calendar=full)).refusal is None


@pytest.mark.parametrize(
    ("sessions", "refusal"),
    [
        ([session(START, capacity=1, taken=1)], "session_full"),
        ([session(START, capacity=2, taken=1, waitlist=[waiting(1, party=3)])], "session_full"),
        ([session(START - HOUR / 2, id=OTHER)], "slot_taken"),
        ([session(START, capacity=2, taken=1)], "stale"),
        ([session(START + HOUR, id=OTHER)], "stale"),
        ([], "stale"),
    ],
)
def test_start_that_is_not_offered_says_who_has_it(sessions: list[Any], refusal: str) -> None:
    command = hold(seats=wanted(START, rules_version=-1))
    assert decide(command, seats(*sessions)).refusal == refusal


def test_hold_sent_again_is_the_same() -> None:
    known = booking(Status.HELD, START, is_token=True, expires_at=NOW + MINUTE)
    decision = decide(hold(), facts(known))
    assert (decision.booking_id, decision.held_until, bool(decision.change)) == (BOOKING, NOW + MINUTE, False)
    lapsed = replace(known, expires_at=NOW)
    again = decide(hold(), facts(lapsed))
    assert [one.values.get("status") or one.values for one in again.change.updates] == ["expired", {"hold_hash": None}]
    assert again.booking_id == NEW


def test_visitor_displaces_the_oldest_of_their_address() -> None:
    held = [booking(Status.HELD, id=UUID(int=50 + number), person_id=None) for number in range(2)]
    start = START + 5 * HOUR
    visitors = [CountedHold(id=one.id, starts_at=start, is_address=True) for one in reversed(held)]
    far = CountedHold(id=OTHER, starts_at=start - timedelta(days=1), is_address=True)
    usage = HoldUsage(is_verified=False, visitors=(far, *visitors, far))
    found = replace(facts(*held), usage=usage, user_id=None)
    command = hold(seats=wanted(start))
    assert [one.id for one in decide(command, found).change.updates] == [held[0].id]
    assert decide(replace(command, max_of_visitors=6), found).change.updates == []
    verified = replace(found, usage=replace(usage, is_verified=True))
    assert decide(command, verified).change.updates == []


@pytest.mark.parametrize(
    ("usage", "has_account", "limit"),
    [
        (HoldUsage(own_held=1, own_requested=2, own_recent=9), True, ""),
        (HoldUsage(own_held=2), True, "own_limit"),
        (HoldUsage(own_requested=3), True, "own_limit"),
        (HoldUsage(own_recent=10), True, "own_limit"),
        (HoldUsage(own_held=2), False, ""),
        (HoldUsage(address_held=3, address_recent=10), True, ""),
        (HoldUsage(is_verified=False, address_held=2, address_recent=9), True, ""),
        (HoldUsage(is_verified=False, address_held=3), True, "address_limit"),
        (HoldUsage(is_verified=False, address_recent=10), False, "address_limit"),
        (HoldUsage(is_verified=False, visitors=visitors(3)), False, ""),
        (HoldUsage(is_verified=False, visitors=visitors(4)), False, "visitor_limit"),
        (HoldUsage(is_verified=False, visitors=visitors(3, 1)), False, "visitor_limit"),
        (HoldUsage(is_verified=False, visitors=visitors(2, 3)), False, ""),
        (HoldUsage(is_verified=False, visitors=visitors(4, start=wanted(START).day[1])), False, ""),
        (HoldUsage(is_verified=False, visitors=visitors(4, start=wanted(START).day[0])), False, "visitor_limit"),
    ],
)
def test_limits_of_holds_are_named(usage: HoldUsage, has_account: bool, limit: str) -> None:
    day = wanted(START).day
    assert limit_reached(usage, day, has_account=has_account, max_of_visitors=4) == limit


def test_address_has_half_of_a_day() -> None:
    assert [share_of_address(count) for count in (0, 1, 2, 3, 4, 5)] == [1, 1, 1, 1, 2, 2]


def book(**values: Any) -> commands.Book:
    own: dict[str, Any] = {"booked": BOOKED, "policy": "ab", "rules_version": VERSION}
    return commands.Book(**own | values)


def held_by(person: UUID | None = PERSON, **values: Any) -> BookingSnapshot:
    return booking(Status.HELD, START, person_id=person, is_token=True, **values)


def test_booking_keeps_what_its_person_gave() -> None:
    waiver = WaiverSnapshot(id=OTHER, level="high", expires_at=NOW + HOUR)
    (update,) = decide(book(), facts(held_by(None), waiver=waiver)).change.updates
    expected = {
        "person_id": PERSON, "person_name": "Ada", "participants": ["Bo"], "note": "Hi", "person_address": "",
        "person_zone": "UTC", "idempotency_key": "key", "digest": b"digest", "series_id": None, "confirmed_at": NOW,
        "expires_at": None, "waiver_id": OTHER, "waiver_level": "high", "waiver_until": NOW + HOUR,
    }  # fmt: skip
    assert expected.items() <= update.values.items()
    (at_home,) = decide(book(), facts(held_by(place="person"))).change.updates
    assert (at_home.values["person_address"], at_home.values["waiver_id"]) == ("1 Elm", None)


def test_request_waits_for_its_answer() -> None:
    (update,) = decide(book(), facts(held_by(approval="request"))).change.updates
    assert (update.values["status"], update.values["confirmed_at"]) == ("requested", None)
    assert update.values["expires_at"] == request_until(NOW, START)


@pytest.mark.parametrize(
    ("held", "command", "values", "refusal"),
    [
        (held_by(), {}, {}, None),
        (held_by(None), {}, {}, None),
        (held_by(OTHER), {}, {}, "hold_expired"),
        (held_by(), {}, {"user_id": None}, "hold_expired"),
        (held_by(expires_at=NOW), {}, {}, "hold_expired"),
        (held_by(), {"policy": "cd"}, {}, "policy_changed"),
        (held_by(), {"rules_version": VERSION + 1}, {}, "stale"),
        (held_by(), {}, {"calendar": None}, "stale"),
        (held_by(), {"needs_waiver": True}, {}, "waiver_required"),
        (held_by(None), {}, {"usage": HoldUsage(own_held=2)}, "own_limit"),
        (held_by(None), {}, {"usage": HoldUsage(own_held=1)}, None),
        (held_by(), {}, {"usage": HoldUsage(own_held=2)}, None),
    ],
)
def test_booking_needs_its_own_hold(
    held: BookingSnapshot, command: dict[str, Any], values: dict[str, Any], refusal: str | None
) -> None:
    assert decide(book(**command), facts(held, **values)).refusal == refusal


def test_waiver_counts_until_it_expires() -> None:
    for minutes, refusal in ((0, "waiver_required"), (1, None)):
        waiver = WaiverSnapshot(id=OTHER, level="high", expires_at=NOW + minutes * MINUTE)
        assert decide(book(needs_waiver=True), facts(held_by(), waiver=waiver)).refusal == refusal


def test_user_with_a_seat_cannot_book_another() -> None:
    found = facts(held_by(None), booking(id=OTHER, starts_at=START))
    assert decide(book(), found).refusal == "already_booked"


def test_booking_sent_again_is_the_same() -> None:
    known = booking(starts_at=START, is_key=True, digest=b"digest".hex())
    decision = decide(book(), facts(known))
    assert (decision.booking_id, bool(decision.change)) == (BOOKING, False)
    assert decide(book(), facts(replace(known, digest="00"))).refusal == "request_reused"


def test_series_is_booked_all_or_none() -> None:
    further = [wanted(START + days * 24 * HOUR) for days in (7, 14)]
    decision = decide(book(further=further), facts(held_by()))
    holds = [one for one in decision.change.bookings if isinstance(one, NewHold)]
    assert [(one.id, one.like, one.expires_at, one.person_id) for one in holds] == [
        (one.booking_id, BOOKING, NOW + HOUR, PERSON) for one in further
    ]
    keys = [(one.values["series_id"], one.values["idempotency_key"]) for one in decision.change.updates]
    assert keys == [(BOOKING, "key"), *((BOOKING, str(one.booking_id)) for one in further)]
    first = facts(held_by()).sessions[0]
    taken = session(further[0].starts_at - HOUR / 2, id=OTHER)
    own = session(further[1].starts_at, id=NEW, taken=1, seated=frozenset({PERSON}))
    refused = decide(book(further=further), facts(held_by(), sessions=[first, taken, own]))
    assert (refused.refusal, bool(refused.change)) == ("partly_gone", False)
    assert list(refused.reasons.values()) == ["slot_taken", "already_booked"]
    twice = decide(book(further=[further[0], further[0]]), facts(held_by()))
    assert list(twice.reasons.values()) == ["already_booked"]


def customer(**values: Any) -> commands.BookCustomer:
    own: dict[str, Any] = {
        "id": NEW, "seats": wanted(START, rules_version=-1), "person_id": OTHER, "token": UUID(int=91), "party": 2,
        "email": "c@example.com", "booked": BOOKED, "over_capacity": False, "recent": 0, "recent_of_address": 0,
    }  # fmt: skip
    return commands.BookCustomer(**own | values)


def test_customer_is_booked_outside_the_limits() -> None:
    closed = seats(services=[service(open=False)], calendar=replace(CALENDAR, day_max=0))
    decision = decide(customer(), closed)
    ((made, _),) = decision.change.sessions
    (update,) = decision.change.updates
    assert (made.capacity, new_hold(decision).expires_at, decision.booking_id) == (3, NOW + MINUTE, NEW)
    values = {"status": "confirmed", "customer_email": "c@example.com", "person_address": "", "confirmed_at": NOW}
    assert values.items() <= update.values.items()
    assert (update.actor, update.email and update.email.kind) == ("guru", "booked")


@pytest.mark.parametrize(
    ("sessions", "command", "values", "refusal"),
    [
        ([session(START, taken=1)], {}, {}, None),
        ([session(START, taken=2)], {}, {}, "session_full"),
        ([session(START, taken=1, waitlist=(waiting(1, 3),))], {"over_capacity": True}, {}, "others_wait"),
        ([session(START + HOUR / 2, id=OTHER)], {}, {}, "slot_taken"),
        ([], {"party": 4}, {}, "session_full"),
        ([], {"recent": 100}, {}, "too_many_customers"),
        ([], {"recent": 99, "recent_of_address": 9}, {}, None),
        ([], {"recent_of_address": 10}, {}, "too_many_customers"),
        ([], {}, {"calendar": replace(CALENDAR, is_active=False)}, "slot_gone"),
        ([], {}, {"services": [service(minutes=None)]}, "slot_gone"),
        ([], {"seats": wanted(NOW - HOUR)}, {}, "slot_gone"),
        ([], {"seats": wanted(NOW - 59 * MINUTE)}, {}, None),
    ],
)
def test_customer_needs_a_time_of_the_guru(
    sessions: list[Any], command: dict[str, Any], values: dict[str, Any], refusal: str | None
) -> None:
    assert decide(customer(**command), seats(*sessions, **values)).refusal == refusal


def test_customer_gets_more_seats_if_the_guru_wants() -> None:
    full = decide(customer(over_capacity=True), seats(session(START, taken=2)))
    assert full.change.capacities == {SESSION: 4}
    ((made, _),) = decide(customer(over_capacity=True, party=5), seats()).change.sessions
    assert made.capacity == 5


@pytest.mark.parametrize(
    ("starts_in", "answer_in"),
    [(100 * 60, 24 * 60), (26 * 60, 24 * 60), (25 * 60, 23 * 60), (180, 60), (170, 60), (75, 60), (60, 45), (46, 31)],
)
def test_request_expires_in_time_for_the_start(starts_in: int, answer_in: int) -> None:
    assert request_until(NOW, NOW + starts_in * MINUTE) == NOW + answer_in * MINUTE


@given(minutes=st.integers(46, 100_000))
def test_request_leaves_time_before_the_start(minutes: int) -> None:
    until = request_until(NOW, NOW + minutes * MINUTE)
    assert NOW < until <= NOW + (minutes - 15) * MINUTE
    assert until <= NOW + 24 * HOUR


@pytest.mark.parametrize(
    ("starts_in", "offer_in"), [(600, 120), (180, 120), (179, 119), (76, 16), (75, 15), (70, 15), (15, 15)]
)
def test_offer_ends_an_hour_before_the_start(starts_in: int, offer_in: int) -> None:
    assert offer_until(NOW, NOW + starts_in * MINUTE, "America/Denver") == NOW + offer_in * MINUTE


def test_offer_of_the_evening_lasts_until_the_morning() -> None:
    evening = datetime.fromisoformat("2027-03-11T04:30:00+00:00")  # 9:30 PM in Denver
    until = offer_until(evening, evening + 40 * HOUR, "America/Denver")
    assert until - evening == 12 * HOUR


@given(minutes=st.integers(0, 1439), wait=st.integers(1, 13 * 60))
def test_waking_time_leaves_out_the_night(minutes: int, wait: int) -> None:
    local = datetime(2027, 3, 10) + minutes * MINUTE  # noqa: DTZ001 - local times have no zone
    until = add_waking_time(local, wait * MINUTE)
    assert timedelta(hours=8) <= until - until.replace(hour=0, minute=0) <= timedelta(hours=22)
    awake = sum(8 * 60 <= (minutes + step) % 1440 < 22 * 60 for step in range(int((until - local) / MINUTE)))
    assert awake == wait
