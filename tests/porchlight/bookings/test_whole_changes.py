"""Everything that one command writes about a booking: each column, the entry in the history and the email."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.changes import BookingUpdate, NewHold
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.emails.routing import EmailKind, RoutedEmail, email_about
from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.following.rest import digest_of
from porchlight.features.bookings.lifecycle import decide
from porchlight.features.bookings.moves.lifecycle import can_move
from porchlight.features.bookings.states import Actor, Status
from tests.porchlight.bookings.states import (
    AHEAD,
    BOOKING,
    HOUR,
    LATER,
    NOW,
    OTHER,
    PERSON,
    PROPOSAL,
    SERVICE,
    SESSION,
    ZONE,
    booking,
    digest,
    facts,
    move,
    only,
    service,
    session,
    waiting,
    wanted,
    with_session,
)

SERIES = UUID(int=90)
NO_PROPOSAL = {"proposed_start": None, "proposed_until": None, "proposed_reason": ""}


def about(kind: EmailKind, sequence: int) -> RoutedEmail:
    """Return the email of a kind to both sides."""
    return RoutedEmail(kind, ("person", "guru"), sequence)


def update(values: dict[str, Any], **more: Any) -> BookingUpdate:
    """Return an update of the confirmed booking."""
    own: dict[str, Any] = {"id": BOOKING, "was": Status.CONFIRMED, "values": values}
    return BookingUpdate(**own | more)


def test_place_change_writes_place_and_clears_address() -> None:
    command = commands.ChangePlace(session_id=SESSION, place="guru", place_text="1 Oak St")
    there = booking(id=OTHER, person_id=OTHER, place="guru", place_text="1 Oak St")
    here = booking(place="person", person_address="2 Elm St", sequence=3)
    elsewhere = booking(id=UUID(int=31), person_id=UUID(int=3), appointment_id=UUID(int=21))
    values = {"place": "guru", "place_text": "1 Oak St", "person_address": "", "sequence": 4}
    found = facts(there, here, elsewhere, sessions=[session(taken=2), session(id=UUID(int=21), taken=1)])
    assert decide(command, found).change.updates == [
        update(values, event="place_changed", actor=Actor.GURU, email=about(EmailKind.PLACE_CHANGED, 4))
    ]


def test_place_change_to_the_persons_keeps_addresses() -> None:
    command = commands.ChangePlace(session_id=SESSION, place="person", place_text="A table, please")
    one = booking(place="person", person_address="2 Elm St")
    values = {"place": "person", "place_text": "A table, please", "sequence": 1}
    assert only(decide(command, facts(one))).values == values
    requested = booking(Status.REQUESTED, place="person", person_address="2 Elm St")
    assert decide(command, facts(requested)).change.updates == [
        update({"place": "person", "place_text": "A table, please"}, was=Status.REQUESTED)
    ]


def test_address_change_writes_address() -> None:
    one = booking(place="person", person_address="1 Elm St")
    command = commands.ChangeAddress(id=BOOKING, address="2 Elm St", changes=9)
    assert decide(command, facts(one)).change.updates == [
        update(
            {"person_address": "2 Elm St", "sequence": 1},
            event="place_changed", actor=Actor.PERSON, email=about(EmailKind.ADDRESS_CHANGED, 1),
        )
    ]  # fmt: skip


def test_clock_rules_write_times_of_the_session_only() -> None:
    elsewhere = booking(id=OTHER, appointment_id=UUID(int=21), person_id=OTHER)
    ended = booking(Status.CANCELED, id=UUID(int=31), person_id=UUID(int=3))
    one = booking(**PROPOSAL, sequence=2)
    command = commands.FollowClocks(session_id=SESSION, starts_at=AHEAD + HOUR, ends_at=AHEAD + 2 * HOUR)
    found = facts(elsewhere, ended, one, sessions=[session(taken=1), session(id=UUID(int=21), taken=1)])
    values = {"starts_at": AHEAD + HOUR, "ends_at": AHEAD + 2 * HOUR, "sequence": 3} | NO_PROPOSAL
    assert decide(command, found).change.updates == [
        update(values, event="clocks_changed", actor=Actor.SYSTEM, email=about(EmailKind.CLOCKS_CHANGED, 3))
    ]
    plain = only(decide(command, facts(booking())))
    assert plain.values == {"starts_at": AHEAD + HOUR, "ends_at": AHEAD + 2 * HOUR, "sequence": 1}


def test_move_writes_time_place_and_count() -> None:
    one = booking(place="guru", place_text="1 Oak St", sequence=4, moves=1, person_address="2 Elm St")
    decision = decide(move(one), facts(one))
    ((new, _),) = decision.change.sessions
    values = {
        "appointment_id": new.id, "starts_at": LATER, "ends_at": LATER + HOUR, "sequence": 5, "place": "guru",
        "place_text": "1 Oak St", "moves": 2, "person_address": "",
    }  # fmt: skip
    assert decision.change.updates == [
        update(
            values, event="moved", actor=Actor.PERSON, email=about(EmailKind.MOVED, 5),
            details={"from": AHEAD, "to": LATER},
        )
    ]  # fmt: skip
    assert decision.change.ended == [SESSION]


def test_move_to_the_persons_place_keeps_address() -> None:
    one = booking(place="person", person_address="2 Elm St")
    assert "person_address" not in only(decide(move(one), facts(one))).values


@pytest.mark.parametrize(
    ("taken", "values"), [(2, {}), (1, {"fixed": True}), (1, {"waitlist": (waiting(1, party=3),)})]
)
def test_move_leaves_session_that_others_use(taken: int, values: dict[str, Any]) -> None:
    one = booking()
    decision = decide(move(one), with_session(facts(one), taken=taken, **values))
    assert decision.refusal is None
    # A session that others wait for ends when the move has left it empty, not before.
    assert decision.change.ended == ([SESSION] if "waitlist" in values else [])


@pytest.mark.parametrize(
    ("values", "is_possible"),
    [
        ({}, True),
        ({"status": Status.REQUESTED}, False),
        ({"starts_at": NOW}, False),
        ({"starts_at": NOW - HOUR}, False),
        ({"moves": 2}, False),
    ],
)
def test_can_move_follows_status_time_and_terms(values: dict[str, Any], is_possible: bool) -> None:
    assert can_move(booking(**values), NOW) is is_possible


def test_rest_of_series_moves_while_each_may() -> None:
    first = booking(series_id=SERIES)
    second = booking(
        id=OTHER, appointment_id=UUID(int=21), series_id=SERIES, starts_at=LATER, ends_at=LATER + HOUR,
    )  # fmt: skip
    sessions = [session(taken=1), session(LATER, id=UUID(int=21), taken=1)]
    found = facts(first, second, sessions=sessions)
    starts = {OTHER: wanted(LATER + 24 * HOUR), BOOKING: wanted(AHEAD + 24 * HOUR)}
    command = move(first, wanted=starts, following=True, terms_digest=digest_of([first, second], NOW))
    assert [one.id for one in decide(command, found).change.updates] == [OTHER, BOOKING]
    assert decide(replace(command, terms_digest="00"), found).refusal == "terms_changed"
    used = replace(second, moves=2)
    spent = facts(first, used, sessions=sessions)
    command = replace(command, terms_digest=digest_of([first, used], NOW))
    assert decide(command, spent).refusal == "moves_used"


def series_with_proposals() -> list[BookingSnapshot]:
    """Return two bookings of a series with open proposals, and others that are not to be moved with them."""
    other_session: dict[str, Any] = {"appointment_id": UUID(int=21), "starts_at": LATER, "ends_at": LATER + HOUR}
    return [
        booking(series_id=SERIES, **PROPOSAL | {"proposed_start": AHEAD + 2 * HOUR}),
        booking(id=OTHER, series_id=SERIES, **other_session, **PROPOSAL | {"proposed_start": LATER + 24 * HOUR}),
        booking(id=UUID(int=31), series_id=SERIES, appointment_id=UUID(int=22)),
        booking(id=UUID(int=32), series_id=SERIES, appointment_id=UUID(int=23), person_id=UUID(int=3), **PROPOSAL),
        booking(id=UUID(int=33), appointment_id=UUID(int=24), **PROPOSAL),
    ]


@pytest.mark.parametrize(
    ("chosen", "following", "refusal"),
    [
        ({BOOKING: AHEAD + 2 * HOUR}, False, None),
        ({BOOKING: AHEAD + 3 * HOUR}, False, "proposal_ended"),
        ({BOOKING: AHEAD + 2 * HOUR, OTHER: LATER + 24 * HOUR}, True, None),
        ({BOOKING: AHEAD + 2 * HOUR}, True, "terms_changed"),
        ({BOOKING: AHEAD + 2 * HOUR, OTHER: LATER + 25 * HOUR}, True, "terms_changed"),
    ],
)
def test_accepted_proposals_are_the_open_ones(chosen: dict[UUID, Any], following: bool, refusal: str | None) -> None:
    rows = series_with_proposals()
    sessions = [
        session(one.starts_at, id=one.appointment_id, taken=1, seated=frozenset({PERSON})) for one in rows
    ]  # fmt: skip
    starts = {id_: wanted(start) for id_, start in reversed(chosen.items())}
    command = commands.Move(first_id=BOOKING, wanted=starts, following=following, is_counted=False)
    assert decide(command, facts(*rows, sessions=sessions)).refusal == refusal


@pytest.mark.parametrize("rows", [[], [booking()], [booking(**PROPOSAL | {"proposed_until": NOW})]])
def test_ended_proposal_is_not_accepted(rows: list[BookingSnapshot]) -> None:
    command = commands.Move(first_id=BOOKING, wanted={BOOKING: wanted(LATER)}, is_counted=False)
    assert decide(command, facts(*rows)).refusal == "proposal_ended"


@pytest.mark.parametrize(("reason", "words"), [("I am away", {"reason": "I am away"}), ("", {})])
def test_proposal_writes_start_and_words(reason: str, words: dict[str, str]) -> None:
    one = booking(proposals=1)
    command = commands.Propose(starts=[(one, LATER)], reason=reason)
    values = {
        "proposed_start": LATER, "proposed_until": NOW + 24 * HOUR, "proposed_reason": reason, "proposals": 2,
    }  # fmt: skip
    assert decide(command, facts(one)).change.updates == [
        update(
            values, event="proposed", actor=Actor.GURU, email=RoutedEmail(EmailKind.PROPOSED, ("person",), 2),
            details={"to": LATER} | words,
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "of_service", "expected"),
    [
        ({}, {"approval": "request"}, {"approval": "request", "place": "online"}),
        (
            {"person_id": OTHER, "customer_token": UUID(int=7)}, {"approval": "request"},
            {"approval": "instant", "is_customer": True, "person_id": OTHER, "place": "online"},
        ),
        ({"address": None}, {}, {"is_offer": True, "place": "online"}),
        (
            {"like": OTHER}, {"place": "guru"},
            {
                "approval": "request", "place": "agreed", "price_cents": booking().price_cents,
                "terms": booking().terms,
            },
        ),
    ],
)  # fmt: skip
def test_hold_has_the_values_of_its_service(
    values: dict[str, Any], of_service: dict[str, Any], expected: dict[str, Any]
) -> None:
    like = booking(Status.HELD, id=OTHER, appointment_id=UUID(int=21), approval="request", place="agreed")
    draft = CalendarDraft(facts(like, sessions=[session(), session(id=UUID(int=21), taken=1)]))
    own: dict[str, Any] = {
        "id": BOOKING, "appointment_id": SESSION, "person_id": PERSON, "party": 2, "expires_at": NOW + HOUR,
        "address": b"address",
    }  # fmt: skip
    hold = NewHold(**own | values)
    made = draft.add_hold(draft.sessions[SESSION], service(**of_service), hold)
    known: dict[str, Any] = {
        "id": BOOKING, "appointment_id": SESSION, "service_id": SERVICE, "person_id": PERSON, "status": Status.HELD,
        "party": 2, "starts_at": AHEAD, "ends_at": AHEAD + HOUR, "zone": ZONE, "price_cents": 0,
        "approval": "instant", "terms": {}, "expires_at": NOW + HOUR,
    }  # fmt: skip
    assert made == BookingSnapshot(**known | expected)
    assert draft.bookings[BOOKING] == made
    assert draft.change.bookings == [hold]
    taken = draft.sessions[SESSION]
    assert (taken.taken, set(taken.seated)) == (2, {made.person_id})


def test_hold_is_at_the_place_of_its_session() -> None:
    found = session(place="guru", place_text="1 Oak St")
    draft = CalendarDraft(facts(sessions=[found]))
    hold = NewHold(id=BOOKING, appointment_id=SESSION, person_id=PERSON, party=1, expires_at=NOW + HOUR, address=b"a")
    assert draft.add_hold(found, service(place="online"), hold).place == "guru"


def test_offer_is_a_hold_for_who_waits() -> None:
    person = waiting(4, party=2)
    ending = booking(party=3)
    decision = decide(
        commands.Cancel(id=BOOKING, actor=Actor.PERSON, terms_digest=digest(ending)),
        facts(ending, waitlist=(person,)),
    )
    (offer,) = [one for one in decision.change.bookings if isinstance(one, NewHold)]
    assert offer == NewHold(
        id=offer.id, appointment_id=SESSION, person_id=person.person_id, party=2, expires_at=offer.expires_at,
        email=email_about(EmailKind.SPOT_FREE, sequence=0, proposals=0),
    )  # fmt: skip
    assert [(one.appointment_id, one.number, one.status, one.is_notified) for one in decision.change.waitlist] == [
        (SESSION, 4, "offered", False)
    ]


def test_refused_move_of_series_takes_nothing_back_or_along() -> None:
    """Each start that cannot be had is named, as if the others had not been tried."""
    first, second = booking(series_id=SERIES), booking(
        id=OTHER, appointment_id=UUID(int=21), series_id=SERIES, starts_at=LATER, ends_at=LATER + HOUR,
    )  # fmt: skip
    busy = session(LATER + 24 * HOUR, id=UUID(int=22), kind="block", service_id=None, capacity=0)
    later = session(LATER, id=UUID(int=21), taken=1, seated=frozenset({PERSON}))
    sessions = [session(taken=1), later, busy]
    starts = {OTHER: wanted(LATER + 24 * HOUR), BOOKING: wanted(LATER)}
    command = move(first, wanted=starts, following=True, terms_digest=digest_of([first, second], NOW))
    decision = decide(command, facts(first, second, sessions=sessions))
    assert decision.refusal == "partly_gone"
    assert decision.reasons == {LATER + 24 * HOUR: "slot_taken", LATER: "already_booked"}
    assert not decision.change


ENDED: dict[str, Any] = {"expires_at": None, "ended_at": NOW, "person_address": ""}
OPEN: dict[str, Any] = {"expires_at": None, "ended_by": "", "ended_at": None}


@pytest.mark.parametrize("accept", [True, False])
def test_answer_writes_status_and_words(accept: bool) -> None:
    rows = [
        booking(Status.REQUESTED, series_id=SERIES),
        booking(Status.CANCELED, id=UUID(int=31), series_id=SERIES),
        booking(Status.REQUESTED, id=OTHER, series_id=SERIES, starts_at=LATER, appointment_id=UUID(int=21)),
    ]
    found = facts(*rows, sessions=[session(taken=1), session(LATER, id=UUID(int=21), taken=1)])
    command = commands.AnswerRequest(id=BOOKING, accept=accept, whole_series=True, reason="I am away")
    accepted = OPEN | {"status": Status.CONFIRMED, "confirmed_at": NOW}
    declined = ENDED | {"status": Status.DECLINED, "ended_by": Actor.GURU, "reason": "I am away"}
    assert [(one.id, one.values, one.actor) for one in decide(command, found).change.updates] == [
        (id_, accepted if accept else declined, Actor.GURU) for id_ in (BOOKING, OTHER)
    ]


def test_canceled_session_writes_an_end_for_each() -> None:
    rows = [
        booking(id=UUID(int=33), appointment_id=UUID(int=21), person_id=UUID(int=5)),
        booking(Status.HELD, id=UUID(int=31), person_id=UUID(int=3)),
        booking(Status.REQUESTED, id=UUID(int=32), person_id=UUID(int=4)),
        booking(sequence=2),
    ]
    found = facts(*rows, sessions=[session(taken=3), session(id=UUID(int=21), taken=1)])
    decision = decide(commands.CancelSession(session_id=SESSION, reason="I am ill"), found)
    own = {"reason": "I am ill", "ended_by": Actor.GURU}
    assert [(one.id, one.values, one.actor) for one in decision.change.updates] == [
        (UUID(int=31), ENDED | {"status": Status.EXPIRED, "ended_by": Actor.GURU}, Actor.GURU),
        (UUID(int=32), ENDED | own | {"status": Status.DECLINED}, Actor.GURU),
        (BOOKING, ENDED | own | {"status": Status.CANCELED, "owed_cents": 0, "sequence": 3}, Actor.GURU),
    ]
    assert decision.change.ended == [SESSION]


def test_deleted_account_ends_holds_and_sessions() -> None:
    rows = [
        booking(id=UUID(int=33), appointment_id=UUID(int=21), person_id=OTHER),
        booking(Status.HELD, id=UUID(int=31)),
        booking(),
    ]
    found = facts(*rows, sessions=[session(taken=2), session(id=UUID(int=21), taken=1)])
    canceled = {"status": Status.CANCELED, "ended_by": Actor.PERSON, "reason": "", "owed_cents": 0, "sequence": 1}
    assert [(one.id, one.values, one.actor) for one in decide(commands.Erase(), found).change.updates] == [
        (UUID(int=31), ENDED | {"status": Status.EXPIRED, "ended_by": Actor.PERSON}, Actor.PERSON),
        (BOOKING, ENDED | canceled, Actor.PERSON),
    ]


def test_attendance_is_written_by_the_guru() -> None:
    missed = booking(Status.MISSED, NOW - 2 * HOUR)
    command = commands.RecordAttendance(id=BOOKING, missed=False)
    assert decide(command, facts(missed)).change.updates == [
        update(
            OPEN | {"status": Status.CONFIRMED, "owed_cents": 0}, was=Status.MISSED, event="confirmed",
            actor=Actor.GURU,
        )
    ]  # fmt: skip


def test_refused_start_of_one_booking_gives_its_own_reason() -> None:
    one = booking()
    busy = session(LATER, id=UUID(int=22), kind="block", service_id=None, capacity=0)
    decision = decide(move(one), facts(one, sessions=[session(taken=1), busy]))
    assert (decision.refusal, decision.reasons) == ("slot_taken", {LATER: "slot_taken"})


def test_draft_knows_capacity_and_people_of_its_steps() -> None:
    draft = CalendarDraft(facts(booking()))
    found = draft.set_capacity(draft.sessions[SESSION], 7)
    assert (found.capacity, draft.sessions[SESSION].capacity, draft.change.capacities) == (7, 7, {SESSION: 7})
    draft.add_waiting(found, waiting(1))
    draft.set_place(SESSION, 1, "offered")
    assert [(one.number, one.status) for one in draft.sessions[SESSION].waitlist] == [(1, "offered")]
    draft.end_session(draft.sessions[SESSION], is_canceled=False)
    assert draft.sessions[SESSION].live is False


@pytest.mark.parametrize(
    ("status", "is_booked", "place"),
    [("offered", True, "taken"), ("offered", False, "lapsed"), ("waiting", True, "taken"), ("waiting", False, None)],
)
def test_place_on_waitlist_follows_the_hold(status: Any, is_booked: bool, place: str | None) -> None:
    own, other = waiting(1, person_id=PERSON, status=status), waiting(2, party=3)
    left = waiting(3, person_id=PERSON, status="lapsed")
    draft = CalendarDraft(facts(booking(Status.HELD), waitlist=(own, other, left)))
    status_after = Status.CONFIRMED if is_booked else Status.EXPIRED
    draft.set_status(draft.bookings[BOOKING], status_after, Actor.PERSON)
    assert [(one.number, one.status) for one in draft.change.waitlist] == ([(1, place)] if place else [])
