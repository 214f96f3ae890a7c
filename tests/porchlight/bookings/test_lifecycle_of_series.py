"""Moves, proposals and series: which bookings change together, and on which terms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.following.rest import digest_of
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.states import Actor, Status
from tests.porchlight.bookings.states import (
    AHEAD,
    BOOKING,
    BOTH,
    HOUR,
    LATER,
    NOW,
    OTHER,
    PERSON,
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
    wanted,
    with_session,
)


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


def test_accepted_proposal_confirms_a_request() -> None:
    asked = booking(Status.REQUESTED, **PROPOSAL)
    moved, confirmed = decide(move(asked, is_counted=False), facts(asked)).change.updates
    assert (moved.values["starts_at"], moved.values["proposed_start"], moved.email) == (LATER, None, None)
    assert (confirmed.values["status"], confirmed.values["confirmed_at"]) == (Status.CONFIRMED, NOW)
    assert (confirmed.actor, email(confirmed)) == (Actor.PERSON, ("accepted", BOTH))
    # The person can't move a request to a time of their own.
    assert decide(move(asked), facts(asked)).refusal == "booking_changed"


def test_declined_proposal_withdraws_a_request() -> None:
    asked = booking(Status.REQUESTED, **PROPOSAL)
    decline = commands.Cancel(id=BOOKING, actor=Actor.PERSON, proposed_start=LATER)
    update = only(decide(decline, facts(asked)))
    assert (update.values["status"], update.values["owed_cents"]) == (Status.CANCELED, 0)
    assert email(update) == ("withdrawn", TO_GURU)


@pytest.mark.parametrize("accept", [True, False])
def test_answer_to_a_request_ends_the_proposal(accept: bool) -> None:
    asked = booking(Status.REQUESTED, **PROPOSAL)
    update = only(decide(commands.AnswerRequest(id=BOOKING, accept=accept), facts(asked)))
    assert (update.values["proposed_start"], "starts_at" in update.values) == (None, False)


def test_request_waits_for_the_answer_to_a_proposal() -> None:
    asked = booking(Status.REQUESTED, expires_at=NOW + HOUR)
    propose = commands.Propose(starts=[(asked, LATER)], reason="Oven broke")
    assert only(decide(propose, facts(asked))).values["expires_at"] == NOW + 24 * HOUR
    patient = replace(asked, expires_at=NOW + 30 * HOUR)
    assert only(decide(commands.Propose(starts=[(patient, LATER)]), facts(patient))).values["expires_at"] == (
        NOW + 30 * HOUR
    )
    # The guru accepted it in another tab, and proposes as if they had not.
    booked = replace(asked, status=Status.CONFIRMED, expires_at=None)
    assert decide(propose, facts(booked)).refusal == "booking_changed"


def test_unanswered_proposal_ends_with_its_request() -> None:
    both = booking(Status.REQUESTED, **PROPOSAL | {"proposed_until": NOW, "expires_at": NOW})
    ended, expired = decide(commands.Expire(), facts(both)).change.updates
    assert (email(ended), email(expired)) == (("proposal_expired", TO_GURU), ("expired", TO_PERSON))
    earlier = replace(both, expires_at=NOW + HOUR)
    assert email(only(decide(commands.Expire(), facts(earlier)))) == ("proposal_expired", TO_GURU)


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
