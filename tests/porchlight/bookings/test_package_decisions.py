"""Which bookings use a package, and which return it, decided without a database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.changes import BookingUpdate, GrantUpdate
from porchlight.features.bookings.commands import (
    AnswerRequest,
    Book,
    Cancel,
    ClaimBookings,
    Command,
    Expire,
    ExtendPackage,
    GrantPackage,
    RecordAttendance,
    TakeBackSessions,
    WantedPackage,
)
from porchlight.features.bookings.emails.routing import EmailKind
from porchlight.features.bookings.facts import BookingSnapshot, Facts, GrantSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.states import Actor, Status
from tests.porchlight.bookings.states import (
    AHEAD,
    BOOKED,
    BOOKING,
    CALENDAR,
    HOUR,
    LATER,
    NOW,
    OTHER,
    OVER,
    PERSON,
    SERVICE,
    TERMS,
    booking,
    digest,
    email,
    facts,
    move,
    only,
    service,
    session,
    wanted,
)

GRANT = UUID(int=40)
SOON = NOW + 5 * HOUR  # a cancellation is late


def grant(left_over: int = 3, **values: Any) -> GrantSnapshot:
    """Return a package of five sessions of the person."""
    own: dict[str, Any] = {
        "id": GRANT, "service_id": SERVICE, "person_id": PERSON, "name": "Five lessons", "granted": 5,
        "left_over": left_over, "expires_at": NOW + 1000 * HOUR,
    }  # fmt: skip
    return GrantSnapshot(**own | values)


def held(**values: Any) -> BookingSnapshot:
    return booking(Status.HELD, is_token=True, **values)


def covered(status: Status = Status.CONFIRMED, starts_at: Any = AHEAD, **values: Any) -> BookingSnapshot:
    """Return a booking that uses the package."""
    return booking(status, starts_at, **{"grant_id": GRANT, "package_sessions": 1, "price_cents": 0} | values)


def book(sessions: int = 1, **values: Any) -> Book:
    package = WantedPackage(id=GRANT, sessions=sessions)
    own: dict[str, Any] = {"booked": BOOKED, "policy": "ab", "rules_version": CALENDAR.rules_version}
    return Book(**own | {"package": package} | values)


def uses(decision: Decision) -> list[int]:
    """Return how many sessions of a package each change of a booking sets."""
    found = (one.values.get("package_sessions") for one in decision.change.updates)
    return [one for one in found if one is not None]


def test_booking_with_a_package_costs_nothing_more() -> None:
    decision = decide(book(), facts(held(), grants=[grant()]))
    booked, used = decision.change.updates
    assert (booked.values["status"], decision.refusal) == (Status.CONFIRMED, None)
    assert used.values == {
        "package_grant_id": GRANT, "package_sessions": 1, "package_name": "Five lessons", "price_cents": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "sessions"),
    [
        ({"left_over": 0}, 1),
        ({"left_over": 1}, 2),
        ({"expires_at": AHEAD}, 1),
        ({"service_id": UUID(int=11)}, 1),
        ({"person_id": OTHER}, 1),
        ({"id": UUID(int=41)}, 1),
    ],
)
def test_package_that_does_not_cover_is_refused(changes: dict[str, Any], sessions: int) -> None:
    decision = decide(book(sessions), facts(held(), grants=[grant(**changes)]))
    assert (decision.refusal, bool(decision.change)) == ("package_changed", False)


def test_party_uses_a_session_for_each_spot() -> None:
    assert uses(decide(book(2), facts(held(party=2), grants=[grant()]))) == [2]
    assert decide(book(1), facts(held(party=2), grants=[grant()])).refusal == "package_changed"
    assert decide(book(2), facts(held(party=2), grants=[grant(1)])).refusal == "package_changed"


@pytest.mark.parametrize(("left", "expected"), [(1, 1), (2, 2), (5, 3)])
def test_series_uses_the_package_for_its_first_sessions(left: int, expected: int) -> None:
    starts = [LATER + day * 24 * HOUR for day in (0, 1)]
    command = book(expected, further=[wanted(start) for start in starts])
    decision = decide(command, facts(held(), grants=[grant(left)], services=[service()]))
    assert decision.refusal is None
    assert uses(decision) == [1] * expected
    covering = [one.id for one in decision.change.updates if "package_sessions" in one.values]
    assert covering == [BOOKING, *(one.booking_id for one in command.further)][:expected]


def test_request_uses_the_package_and_returns_it_if_declined() -> None:
    asked = decide(book(), facts(held(approval="request"), grants=[grant()]))
    assert (asked.change.updates[0].values["status"], uses(asked)) == (Status.REQUESTED, [1])
    request = covered(Status.REQUESTED)
    declined = decide(AnswerRequest(id=BOOKING, accept=False), facts(request, grants=[grant()]))
    accepted = decide(AnswerRequest(id=BOOKING, accept=True), facts(request, grants=[grant()]))
    expired = decide(Expire(), facts(replace(request, expires_at=NOW), grants=[grant()]))
    assert (uses(declined), uses(accepted), uses(expired)) == ([0], [], [0])


@pytest.mark.parametrize(
    ("starts_at", "actor", "late_percent", "returned"),
    [
        (AHEAD, Actor.PERSON, 50, True),
        (SOON, Actor.PERSON, 50, False),
        (SOON, Actor.PERSON, 0, True),
        (SOON, Actor.GURU, 50, True),
        (SOON, Actor.STAFF, 50, True),
    ],
)
def test_cancellation_returns_what_the_terms_leave_free(
    starts_at: Any, actor: Actor, late_percent: int, returned: bool
) -> None:
    one = covered(starts_at=starts_at, terms=TERMS | {"late_percent": late_percent})
    command = Cancel(id=BOOKING, actor=actor, terms_digest=digest(one), reason="ill")
    decision = decide(command, facts(one, grants=[grant()]))
    assert only(decision).values["status"] == Status.CANCELED
    assert uses(decision) == ([0] if returned else [])


@pytest.mark.parametrize(("missed_percent", "returned"), [(100, False), (0, True)])
def test_missed_session_is_used_up_by_the_terms(missed_percent: int, returned: bool) -> None:
    one = covered(starts_at=OVER, terms=TERMS | {"missed_percent": missed_percent})
    missed = decide(RecordAttendance(id=BOOKING, missed=True), facts(one, grants=[grant()]))
    assert uses(missed) == ([0] if returned else [])
    again = replace(one, status=Status.MISSED, package_sessions=0 if returned else 1)
    attended = decide(RecordAttendance(id=BOOKING, missed=False), facts(again, grants=[grant()]))
    assert uses(attended) == ([1] if returned else [])


def test_move_keeps_the_package_and_its_late_cost() -> None:
    one = covered(starts_at=SOON)
    found = facts(one, grants=[grant()])
    decision = decide(move(one, wanted={BOOKING: wanted(LATER)}), found)
    values = only(decision).values
    assert "package_sessions" not in values
    assert values["late_since"] == NOW  # or moving away and canceling would return it


def test_extension_is_later_and_of_something() -> None:
    until = NOW + 2000 * HOUR
    extended = decide(ExtendPackage(id=GRANT, expires_at=until), facts(grants=[grant()]))
    (update,) = extended.change.packages
    assert isinstance(update, GrantUpdate)
    assert (update.event, update.values) == ("extended", {"expires_at": until})
    over = grant(expires_at=NOW - HOUR)
    assert decide(ExtendPackage(id=GRANT, expires_at=until), facts(grants=[over])).refusal is None
    later = NOW + 30000 * HOUR
    for found, end in ((grant(), NOW + HOUR), (over, NOW - HOUR / 2), (grant(0), until), (grant(), later)):
        refused = decide(ExtendPackage(id=GRANT, expires_at=end), facts(grants=[found]))
        assert (refused.refusal, bool(refused.change)) == ("package_gone", False)


@pytest.mark.parametrize(("sessions", "seen", "left"), [(2, 3, 1), (3, 3, 0), (4, 3, None), (1, 2, None)])
def test_unused_sessions_are_taken_back(sessions: int, seen: int, left: int | None) -> None:
    command = TakeBackSessions(id=GRANT, sessions=sessions, left_over=seen, reason="We agreed.")
    decision = decide(command, facts(grants=[grant(3)]))
    if left is None:
        assert decision.refusal == "package_gone"
        return
    (update,) = decision.change.packages
    assert isinstance(update, GrantUpdate)
    assert update.values == {"left_over": left, "taken_back": sessions}
    assert update.details == {"sessions": sessions, "reason": "We agreed."}


@pytest.mark.parametrize(("of_person", "recent"), [(10, 0), (0, 100)])
def test_packages_of_a_guru_have_limits(of_person: int, recent: int) -> None:
    command = GrantPackage(
        id=GRANT, package_id=GRANT, booking_id=BOOKING, sessions=5, expires_at=LATER, key="k", digest=b"d",
        of_person=of_person, recent=recent,
    )  # fmt: skip
    assert decide(command, facts()).refusal == "too_many_packages"
    within = replace(command, of_person=max(of_person - 1, 0), recent=max(recent - 1, 0))
    assert len(decide(within, facts()).change.packages) == 1


class Ledger:
    """A package and its bookings, after the changes of decisions, as app.apply_bookings and its trigger write them."""

    def __init__(self, left: int) -> None:
        self.grant = grant(left, granted=left)
        self.bookings: dict[UUID, BookingSnapshot] = {}

    def facts(self) -> Facts:
        found = tuple(self.bookings.values())
        places = [session(one.starts_at, id=one.appointment_id, taken=1) for one in found]
        return facts(*found, sessions=places, grants=[self.grant])

    def run(self, command: Command) -> Decision:
        decision = decide(command, self.facts())
        for one in decision.change.bookings:
            assert isinstance(one, BookingUpdate)
            values = dict(one.values)
            before = self.bookings[one.id]
            after = replace(
                before, status=values.get("status", before.status), expires_at=values.get("expires_at"),
                grant_id=values.get("package_grant_id", before.grant_id),
                package_sessions=values.get("package_sessions", before.package_sessions),
            )  # fmt: skip
            self.bookings[one.id] = after
            change = before.package_sessions - after.package_sessions
            self.grant = replace(self.grant, left_over=self.grant.left_over + change)
        for update in decision.change.packages:
            assert isinstance(update, GrantUpdate)
            self.grant = replace(self.grant, **update.values)
        return decision

    def check(self) -> None:
        used = sum(one.package_sessions for one in self.bookings.values())
        assert self.grant.granted == self.grant.left_over + used + self.grant.taken_back
        assert self.grant.left_over >= 0
        kept = (Status.REQUESTED, Status.CONFIRMED, Status.CANCELED, Status.MISSED, Status.COMPLETED)
        assert all(one.status in kept for one in self.bookings.values() if one.package_sessions)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["book", "ask", "cancel", "cancel_late", "guru_cancels", "decline", "accept", "take_back"]),
        st.integers(0, 9),
    ),
    max_size=25,
)


@given(left=st.integers(2, 6), steps=STEPS)
def test_granted_is_left_used_and_taken_back(left: int, steps: list[tuple[str, int]]) -> None:
    ledger = Ledger(left)
    for step, (name, number) in enumerate(steps):
        made = [one for one in ledger.bookings.values() if one.grant_id is not None]
        chosen = made[number % len(made)] if made else None
        if name in ("book", "ask"):
            starts_at = SOON if number % 2 else AHEAD
            one = held(
                id=UUID(int=1000 + step), appointment_id=UUID(int=2000 + step), starts_at=starts_at,
                approval="request" if name == "ask" else "instant",
            )  # fmt: skip
            ledger.bookings[one.id] = one
            refused = ledger.run(book()).refusal is not None
            assert refused == (ledger.bookings[one.id].status is Status.HELD)
            ledger.bookings[one.id] = replace(ledger.bookings[one.id], is_token=False)
            if refused:
                del ledger.bookings[one.id]
        elif name == "take_back":
            count = 1 + number % 3
            seen = ledger.grant.left_over
            ledger.run(TakeBackSessions(id=GRANT, sessions=count, left_over=seen, reason="x"))
        elif chosen is not None and name in ("accept", "decline"):
            ledger.run(AnswerRequest(id=chosen.id, accept=name == "accept"))
        elif chosen is not None:
            actor = Actor.GURU if name == "guru_cancels" else Actor.PERSON
            ledger.run(Cancel(id=chosen.id, actor=actor, terms_digest=digest(chosen), reason="x"))
        ledger.check()


CUSTOMER = UUID(int=7)


def customer(**values: Any) -> BookingSnapshot:
    own: dict[str, Any] = {"person_id": CUSTOMER, "is_customer": True}
    return booking(**own | values)


def claim(*ids: UUID) -> ClaimBookings:
    return ClaimBookings(id=BOOKING, ids=ids or (BOOKING,), name="Ada Neighbor")


def test_claim_gives_bookings_to_the_user_with_one_email() -> None:
    other = customer(id=UUID(int=31), appointment_id=UUID(int=21), starts_at=OVER, status=Status.COMPLETED)
    places = [session(taken=1), session(OVER, id=UUID(int=21), taken=1)]
    decision = decide(claim(BOOKING, other.id), facts(customer(), other, sessions=places))
    first, second = decision.change.updates
    assert {one.values["person_id"] for one in (first, second)} == {PERSON}
    assert (first.event, first.actor, first.details["name"]) == ("claimed", Actor.PERSON, "Ada Neighbor")
    assert [email(one) for one in (first, second)] == [(EmailKind.CLAIMED, ("guru",)), None]
    assert first.values["customer_token"] is None


def test_claim_again_changes_nothing() -> None:
    decision = decide(claim(), facts(booking()))
    assert (decision.refusal, bool(decision.change), decision.booking_id) == (None, False, BOOKING)


@pytest.mark.parametrize("person", [OTHER, CUSTOMER])
def test_claim_of_what_another_account_has_is_refused(person: UUID) -> None:
    assert decide(claim(), facts(booking(person_id=person))).refusal == "claimed"


def test_claim_in_a_session_of_the_user_is_refused() -> None:
    own = booking(id=UUID(int=32))
    decision = decide(claim(), facts(customer(), own))
    assert (decision.refusal, bool(decision.change)) == ("already_booked", False)
    assert decide(claim(), facts(customer(status=Status.CANCELED), own)).refusal is None


def test_claim_leaves_a_second_spot_in_the_session_to_its_link() -> None:
    twin = customer(id=UUID(int=33))
    decision = decide(claim(BOOKING, twin.id), facts(customer(), twin))
    assert [one.id for one in decision.change.updates] == [BOOKING]
