"""Payments of bookings by card, decided without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.facts import BookingSnapshot, PaymentSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.payments.changes import (
    BeginPayment,
    NewRefund,
    PaymentCanceled,
    PaymentEnded,
    PaymentPaid,
)
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.terms import terms_at
from porchlight.money.fees import Fees
from tests.porchlight.bookings.states import (
    BOOKED,
    BOOKING,
    CALENDAR,
    HOUR,
    NOW,
    OTHER,
    SESSION,
    TERMS,
    booking,
    facts,
    session,
)

CARD = TERMS | {"payment": "full"}
WANTED = commands.WantedPayment(
    plan="skill-sharer",
    fees=Fees(),
    title="Lesson with Ada",
    email="ben@example.com",
    return_url="https://p/sessions/1",
)
PAYMENT = PaymentSnapshot(
    id=UUID(int=50), booking_id=BOOKING, group_id=UUID(int=50), number=1, state="open", amount_cents=4501,
    fee_cents=450, fee_bps=1000, fee_minimum_cents=50,
)  # fmt: skip
PAID = replace(PAYMENT, state="paid")


def waiting(status: Status = Status.HELD, **values: Any) -> BookingSnapshot:
    """Return a hold that waits for its payment, or did."""
    own: dict[str, Any] = {"terms": CARD, "is_sent": True, "payment": PAYMENT, "expires_at": NOW + HOUR}
    return booking(status, **own | values)


def paid(status: Status = Status.CONFIRMED, **values: Any) -> BookingSnapshot:
    """Return a booking that was paid."""
    own: dict[str, Any] = {"terms": CARD, "is_sent": True, "payment": PAID}
    return booking(status, **own | values)


def confirm(*payments: PaymentSnapshot) -> commands.ConfirmPayments:
    return commands.ConfirmPayments(
        payments=payments or [PAYMENT], intent_id="pi_1", charge_id="ch_1", card_brand="visa", card_last4="4242",
        checked_at=NOW,
    )  # fmt: skip


def refunds(decision: Decision) -> list[tuple[int, int, str]]:
    return [
        (one.amount_cents, one.fee_cents, one.reason) for one in decision.change.payments if isinstance(one, NewRefund)
    ]


def statuses(decision: Decision) -> list[str]:
    return [one.values["status"] for one in decision.change.updates if "status" in one.values]


def book(*rows: BookingSnapshot, payment: commands.WantedPayment | None = WANTED, **values: Any) -> Decision:
    held = booking(Status.HELD, terms=CARD, is_token=True, terms_digest="ab")
    command = commands.Book(booked=BOOKED, policy="ab", rules_version=CALENDAR.rules_version, payment=payment, **values)
    return decide(command, facts(*(rows or (held,))))


def test_book_by_card_holds_until_it_is_paid() -> None:
    decision = book()
    assert decision.refusal is None
    (update,) = decision.change.updates
    assert "status" not in update.values
    assert (update.values["expires_at"], update.values["person_name"]) == (NOW + timedelta(minutes=35), "Ada Neighbor")
    assert update.email is None
    (begun,) = decision.change.payments
    assert isinstance(begun, BeginPayment)
    assert (begun.id, begun.fee_cents, begun.number) == (begun.group_id, 450, 1)
    checkout = begun.checkout or {}
    (line,) = checkout["line_items"]
    assert (line["quantity"], line["price_data"]["unit_amount"]) == (1, 4501)
    assert checkout["payment_intent_data"]["metadata"] == checkout["metadata"] == {"payment": str(begun.id)}
    assert checkout["success_url"] == "https://p/sessions/1?payment=done"
    # Stripe refuses a page that closes in less than 30 minutes; the hold lasts longer than the page.
    closes = checkout["expires_at"] - NOW.timestamp()
    assert 31 * 60 <= closes < 35 * 60


@pytest.mark.parametrize("change", [{"terms": TERMS}, {"price_cents": 499}, {"currency": "EUR"}])
def test_book_without_card_is_confirmed(change: dict[str, Any]) -> None:
    values: dict[str, Any] = {"terms": CARD, "is_token": True, "terms_digest": "ab"}
    decision = book(booking(Status.HELD, **values | change))
    assert (statuses(decision), decision.change.payments) == (["confirmed"], [])


def test_book_by_card_without_cards_is_refused() -> None:
    assert book(payment=None).refusal == "cards_unavailable"


def test_book_again_while_paying_begins_nothing() -> None:
    decision = book(waiting(is_token=True))
    assert (decision.refusal, decision.booking_id, bool(decision.change)) == (None, BOOKING, False)


def test_paid_hold_is_confirmed() -> None:
    decision = decide(confirm(), facts(waiting()))
    assert statuses(decision) == ["confirmed"]
    assert [type(one) for one in decision.change.payments] == [PaymentPaid]
    assert decision.change.updates[0].email is not None


def test_paid_request_waits_for_the_guru() -> None:
    decision = decide(confirm(), facts(waiting(approval="request")))
    assert statuses(decision) == ["requested"]
    assert decision.change.updates[0].values["expires_at"] > NOW


def test_payment_confirmed_twice_changes_nothing() -> None:
    assert not decide(confirm(), facts(paid())).change


def test_late_payment_takes_free_seat_again() -> None:
    expired = waiting(Status.EXPIRED, ended_by=Actor.SYSTEM, expires_at=None)
    ended = session(live=False)
    decision = decide(confirm(), facts(expired, sessions=[ended]))
    assert statuses(decision) == ["confirmed"]
    ((made, _),) = decision.change.sessions
    assert decision.change.updates[-1].values["appointment_id"] == made.id
    assert refunds(decision) == []


def test_payment_at_expiry_keeps_its_seat() -> None:
    decision = decide(confirm(), facts(waiting(expires_at=NOW)))
    assert statuses(decision) == ["expired", "confirmed"]
    assert refunds(decision) == []


@pytest.mark.parametrize(
    ("changes", "others", "reason"),
    [
        ({"status": Status.EXPIRED, "ended_by": Actor.SYSTEM, "expires_at": None}, 3, "seat_lost"),
        ({"status": Status.EXPIRED, "ended_by": Actor.PERSON, "expires_at": None}, 0, "canceled"),
        ({"status": Status.EXPIRED, "ended_by": Actor.GURU, "expires_at": None}, 0, "seat_lost"),
        ({"starts_at": NOW, "ends_at": NOW + HOUR}, 0, "seat_lost"),
        ({"price_cents": 4502}, 0, "seat_lost"),
    ],
)
def test_payment_without_seat_goes_back(changes: dict[str, Any], others: int, reason: str) -> None:
    decision = decide(confirm(), facts(waiting(**changes), sessions=[session(taken=max(others, 1), live=True)]))
    assert refunds(decision) == [(4501, 450, reason)]
    assert "confirmed" not in statuses(decision)


def test_payment_of_former_page_goes_back() -> None:
    """A page that was replaced closes; if it was paid in that moment, the money goes back and the new one stays."""
    former = replace(PAYMENT, id=UUID(int=49), state="failed")
    decision = decide(confirm(former), facts(waiting()))
    assert [one.id for one in decision.change.payments if isinstance(one, PaymentPaid)] == [former.id]
    assert refunds(decision) == [(4501, 450, "seat_lost")]
    assert statuses(decision) == []


@pytest.mark.parametrize(("state", "expected"), [("expired", (["expired"], "expired")), ("failed", ([], "failed"))])
def test_page_that_closed_frees_the_seat(state: Any, expected: tuple[list[str], str]) -> None:
    decision = decide(commands.EndPayments(payments=[PAYMENT], state=state), facts(waiting()))
    (ended,) = decision.change.payments
    assert isinstance(ended, PaymentEnded)
    assert (statuses(decision), ended.state) == expected


def test_given_up_hold_closes_the_page() -> None:
    decision = decide(commands.GiveUpPayment(id=BOOKING), facts(waiting()))
    assert statuses(decision) == ["expired"]
    assert decision.change.payments == [PaymentCanceled(id=PAYMENT.id, close=True)]


@pytest.mark.parametrize("rows", [[paid()], [waiting(is_sent=False)], [waiting(person_id=OTHER)]])
def test_only_own_waiting_hold_is_given_up(rows: list[BookingSnapshot]) -> None:
    assert decide(commands.GiveUpPayment(id=BOOKING), facts(*rows)).refusal == "hold_expired"


def test_failed_page_is_opened_again_for_longer() -> None:
    failed = waiting(payment=replace(PAYMENT, state="failed"))
    decision = decide(commands.PayAgain(id=BOOKING, payment=WANTED), facts(failed))
    (begun,) = decision.change.payments
    assert isinstance(begun, BeginPayment)
    assert (begun.number, decision.change.updates[0].values["expires_at"]) == (2, NOW + timedelta(minutes=35))
    again = waiting(payment=replace(PAYMENT, state="failed", number=3))
    assert decide(commands.PayAgain(id=BOOKING, payment=WANTED), facts(again)).refusal == "cards_unavailable"
    assert not decide(commands.PayAgain(id=BOOKING, payment=WANTED), facts(waiting())).change


def _cancel(one: BookingSnapshot, actor: Actor) -> commands.Cancel:
    return commands.Cancel(id=BOOKING, actor=actor, terms_digest=terms_at(one, NOW).digest)


@pytest.mark.parametrize(
    ("one", "actor", "expected"),
    [
        (paid(), Actor.PERSON, [(4501, 450, "canceled")]),  # free until a day before: 30 hours are left
        (paid(starts_at=NOW + 2 * HOUR), Actor.PERSON, [(2250, 225, "canceled")]),
        (paid(starts_at=NOW + 2 * HOUR), Actor.GURU, [(4501, 450, "guru_canceled")]),
        (paid(starts_at=NOW + 2 * HOUR, terms=CARD | {"late_percent": 100}), Actor.PERSON, []),
        (paid(Status.REQUESTED), Actor.PERSON, [(4501, 450, "canceled")]),
        (paid(payment=replace(PAID, is_disputed=True)), Actor.PERSON, []),
        (paid(payment=replace(PAID, refunded_cents=4000, fee_returned_cents=400)), Actor.GURU,
         [(501, 50, "guru_canceled")]),
    ],
)  # fmt: skip
def test_canceled_booking_returns_what_is_not_owed(
    one: BookingSnapshot, actor: Actor, expected: list[tuple[int, int, str]]
) -> None:
    assert refunds(decide(_cancel(one, actor), facts(one))) == expected


@pytest.mark.parametrize(
    ("command", "values", "expected"),
    [
        (commands.AnswerRequest(id=BOOKING, accept=False, reason=""), {}, [(4501, 450, "declined")]),
        (commands.AnswerRequest(id=BOOKING, accept=True, reason=""), {}, []),
        (commands.Expire(), {"expires_at": NOW}, [(4501, 450, "not_answered")]),
    ],
)
def test_request_that_comes_to_nothing_is_returned(
    command: commands.Command, values: dict[str, Any], expected: list[tuple[int, int, str]]
) -> None:
    assert refunds(decide(command, facts(paid(Status.REQUESTED, **values)))) == expected


def test_missed_session_returns_the_rest_and_stays_missed() -> None:
    over = paid(starts_at=NOW - 2 * HOUR, terms=CARD | {"missed_percent": 50})
    missed = decide(commands.RecordAttendance(id=BOOKING, missed=True), facts(over))
    assert refunds(missed) == [(2250, 225, "missed")]
    back = replace(over, status=Status.MISSED, payment=replace(PAID, refunded_cents=2250, fee_returned_cents=225))
    assert decide(commands.RecordAttendance(id=BOOKING, missed=False), facts(back)).refusal == "refunded"


@pytest.mark.parametrize(
    ("status", "changes", "payment", "expected"),
    [
        (Status.CANCELED, {"ended_by": Actor.GURU}, {}, [(4501, 450, "guru_canceled")]),
        (Status.CANCELED, {"ended_by": Actor.PERSON, "owed_cents": 2251}, {}, [(2250, 225, "canceled")]),
        (Status.CANCELED, {"ended_by": Actor.PERSON}, {"is_disputed": True}, []),
        (Status.CANCELED, {"ended_by": Actor.PERSON}, {"disputed_cents": 4501, "disputed_fee_cents": 450}, []),
        (Status.MISSED, {"ended_by": Actor.GURU, "owed_cents": 4501}, {}, []),
        (Status.DECLINED, {"ended_by": Actor.GURU}, {}, [(4501, 450, "declined")]),
        (Status.COMPLETED, {}, {}, []),
        (Status.COMPLETED, {}, {"mode": "hold"}, [(4501, 450, "attended")]),
        (Status.CONFIRMED, {}, {}, []),
    ],
)
def test_decided_dispute_returns_what_is_not_owed(
    status: Status, changes: dict[str, Any], payment: dict[str, Any], expected: list[tuple[int, int, str]]
) -> None:
    ended = paid(status, payment=replace(PAID, **payment), **changes)
    assert refunds(decide(commands.ReturnUnowed(booking_ids=[BOOKING]), facts(ended))) == expected


def test_guru_cancels_session_with_open_page() -> None:
    decision = decide(commands.CancelSession(session_id=SESSION, reason=""), facts(waiting()))
    assert decision.change.payments == [PaymentCanceled(id=PAYMENT.id, close=True)]


def test_erased_account_gives_up_and_is_refunded() -> None:
    other = paid(id=UUID(int=31), payment=replace(PAID, id=UUID(int=51), booking_id=UUID(int=31)))
    sessions = [session(taken=2)]
    decision = decide(commands.Erase(), facts(waiting(), other, sessions=sessions))
    assert {type(one) for one in decision.change.payments} == {PaymentCanceled, NewRefund}
    assert refunds(decision) == [(4501, 450, "canceled")]
