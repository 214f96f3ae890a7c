"""Cards that are kept, charged and released: decided without a database."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.facts import BookingSnapshot, PaymentSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.payments.changes import (
    BeginPayment,
    CardKept,
    CardReleased,
    ChargeCard,
    NewRefund,
    PaymentCanceled,
    PaymentEnded,
    PaymentPaid,
)
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.terms import terms_at
from tests.porchlight.bookings.states import BOOKING, HOUR, NOW, OTHER, booking, facts, session
from tests.porchlight.bookings.test_payment_decisions import WANTED, confirm, statuses
from tests.porchlight.bookings.test_ways_to_pay import WAYS, booked, payment

PAGE = payment("hold", state="open")


def waiting(status: Status = Status.HELD, **values: Any) -> BookingSnapshot:
    """Return a hold that waits until its card is kept, or did."""
    own: dict[str, Any] = {"terms": WAYS["hold"], "is_sent": True, "payment": PAGE, "expires_at": NOW + HOUR}
    return booking(status, **own | values)


def ended(state: str, status: Status = Status.MISSED, owed: int = 4501, **values: Any) -> BookingSnapshot:
    """Return a booking that was missed or canceled, whose charge is in a state."""
    own: dict[str, Any] = {
        "starts_at": NOW - 2 * HOUR, "ends_at": NOW - HOUR, "owed_cents": owed, "payment": payment("hold", state=state),
    }  # fmt: skip
    return booked("hold", status, **own | values)


def keep(*payments: PaymentSnapshot) -> commands.KeepCards:
    return commands.KeepCards(
        payments=payments or [PAGE], customer_id="cus_1", method_id="pm_1", card_brand="visa", card_last4="4242",
        checked_at=NOW,
    )  # fmt: skip


def kinds(decision: Decision) -> list[type[Any]]:
    return [type(one) for one in decision.change.payments]


def emails(decision: Decision) -> list[str]:
    return [one.email.kind for one in decision.change.updates if one.email]


@pytest.mark.parametrize(("approval", "status"), [("instant", "confirmed"), ("request", "requested")])
def test_kept_card_books_the_hold(approval: str, status: str) -> None:
    decision = decide(keep(), facts(waiting(approval=approval)))
    assert (statuses(decision), kinds(decision)) == ([status], [CardKept])


@pytest.mark.parametrize("state", ["kept", "charging", "paid", "unpaid", "released"])
def test_card_kept_twice_changes_nothing(state: str) -> None:
    assert not decide(keep(), facts(booked("hold", payment=payment("hold", state=state)))).change


def test_late_card_takes_free_seat_again() -> None:
    expired = waiting(Status.EXPIRED, ended_by=Actor.SYSTEM, expires_at=None, payment=replace(PAGE, state="expired"))
    decision = decide(keep(), facts(expired, sessions=[session(live=False)]))
    assert (statuses(decision), kinds(decision)) == (["confirmed"], [CardKept])


@pytest.mark.parametrize(
    ("changes", "taken"),
    [
        ({"status": Status.EXPIRED, "ended_by": Actor.SYSTEM, "expires_at": None}, 3),
        ({"status": Status.EXPIRED, "ended_by": Actor.PERSON, "expires_at": None}, 1),
        ({"starts_at": NOW, "ends_at": NOW + HOUR}, 1),
        ({"price_cents": 4503}, 1),
    ],
)
def test_card_without_seat_is_released(changes: dict[str, Any], taken: int) -> None:
    decision = decide(keep(), facts(waiting(**changes), sessions=[session(taken=taken, live=True)]))
    assert kinds(decision) == [CardKept, CardReleased]
    assert "confirmed" not in statuses(decision)


def test_card_of_former_page_is_released() -> None:
    former = replace(PAGE, id=UUID(int=49), state="failed")
    decision = decide(keep(former), facts(waiting()))
    assert (kinds(decision), statuses(decision)) == ([CardKept, CardReleased], [])


@pytest.mark.parametrize(("late_percent", "expected"), [(1, CardReleased), (2, ChargeCard), (0, CardReleased)])
def test_least_charge_is_that_of_stripe(late_percent: int, expected: type[Any]) -> None:
    """Amounts below Stripe's least charge are not collected: 1 % of $45.01 is $0.46."""
    one = booked("hold", terms=WAYS["hold"] | {"late_percent": late_percent}, starts_at=NOW + 2 * HOUR)
    command = commands.Cancel(id=BOOKING, actor=Actor.PERSON, terms_digest=terms_at(one, NOW).digest)
    assert kinds(decide(command, facts(one))) == [expected]


@pytest.mark.parametrize("status", [Status.MISSED, Status.CANCELED])
def test_charge_that_arrives_is_told_once(status: Status) -> None:
    one = ended("charging", status)
    assert one.payment is not None
    decision = decide(confirm(one.payment), facts(one))
    assert (kinds(decision), emails(decision)) == ([PaymentPaid], ["charged"])
    arrived = replace(one, payment=replace(one.payment, state="paid"))
    assert not decide(confirm(one.payment), facts(arrived)).change


def test_charge_of_who_came_after_all_goes_back() -> None:
    """The guru took the mark back while the charge was under way."""
    one = ended("charging", Status.CONFIRMED, owed=0)
    assert one.payment is not None
    decision = decide(confirm(one.payment), facts(one))
    assert kinds(decision) == [PaymentPaid, NewRefund]
    refund = decision.change.payments[1]
    assert isinstance(refund, NewRefund)
    assert (refund.amount_cents, refund.fee_cents, refund.reason) == (4501, 450, "attended")
    assert emails(decision) == []


@pytest.mark.parametrize(
    ("one", "state", "expected", "told"),
    [
        (ended("charging"), "unpaid", "unpaid", ["charge_failed"]),
        (ended("charging", Status.CANCELED, owed=2251), "unpaid", "unpaid", ["charge_failed"]),
        (ended("charging", Status.CONFIRMED, owed=0), "unpaid", "released", []),
        (ended("open"), "expired", "unpaid", []),
        (ended("opening"), "failed", "unpaid", []),
        (waiting(), "expired", "expired", []),
        (waiting(payment=payment("hold", state="opening")), "failed", "failed", []),
    ],
)
def test_payment_that_does_not_come_ends(one: BookingSnapshot, state: Any, expected: str, told: list[str]) -> None:
    assert one.payment is not None
    decision = decide(commands.EndPayments(payments=[one.payment], state=state), facts(one))
    (change,) = decision.change.payments
    assert isinstance(change, PaymentEnded)
    assert (change.state, emails(decision)) == (expected, told)


@pytest.mark.parametrize("state", ["paid", "unpaid", "released", "kept"])
def test_end_of_settled_payment_changes_nothing(state: str) -> None:
    one = ended(state)
    assert one.payment is not None
    assert not decide(commands.EndPayments(payments=[one.payment], state="unpaid"), facts(one)).change


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("charging", []),
        ("paid", [NewRefund]),
        ("unpaid", [CardReleased]),
        ("open", [PaymentCanceled]),
        ("released", []),
    ],
)
def test_missed_that_is_taken_back_ends_what_is_owed(state: str, expected: list[type[Any]]) -> None:
    decision = decide(commands.RecordAttendance(id=BOOKING, missed=False), facts(ended(state), is_acting=True))
    assert (decision.refusal, kinds(decision)) == (None, expected)


def test_returned_charge_is_not_made_again() -> None:
    returned = payment("hold", state="paid", refunded_cents=4501, fee_returned_cents=450)
    one = booked("hold", starts_at=NOW - 2 * HOUR, ends_at=NOW - HOUR, payment=returned)
    decision = decide(commands.RecordAttendance(id=BOOKING, missed=True), facts(one))
    assert decision.refusal == "charge_returned"


def test_unpaid_amount_is_paid_on_a_page() -> None:
    one = ended("unpaid", Status.CANCELED, payment=payment("hold", state="unpaid", amount_cents=2251, fee_cents=225))
    one = replace(one, owed_cents=2251)
    decision = decide(commands.PayAgain(id=BOOKING, payment=replace(WANTED, plan="")), facts(one))
    (begun,) = decision.change.payments
    assert isinstance(begun, BeginPayment)
    assert (begun.is_owed, begun.number, begun.amount_cents, begun.fee_cents) == (True, 2, 2251, 225)
    checkout = begun.checkout or {}
    (line,) = checkout["line_items"]
    assert (line["price_data"]["unit_amount"], checkout["mode"]) == (2251, "payment")
    assert line["price_data"]["product_data"]["name"] == "Late cancellation: Lesson with Ada"
    assert statuses(decision) == []


@pytest.mark.parametrize("state", ["opening", "open"])
def test_open_page_of_unpaid_amount_is_kept(state: str) -> None:
    assert not decide(commands.PayAgain(id=BOOKING, payment=WANTED), facts(ended(state))).change


@pytest.mark.parametrize(
    "one",
    [
        ended("paid"),
        ended("charging"),
        ended("released"),
        ended("kept"),
        ended("unpaid", person_id=OTHER),
        ended("unpaid", payment=payment("full", state="expired")),
        ended("unpaid", Status.CONFIRMED, owed=0),
        booked("hold"),
    ],
)
def test_only_unpaid_amount_is_paid_on_a_page(one: BookingSnapshot) -> None:
    decision = decide(commands.PayAgain(id=BOOKING, payment=WANTED), facts(one))
    assert decision.refusal in ("booking_changed", "hold_expired")
    assert decision.change.payments == []


def test_pages_for_an_unpaid_amount_are_limited() -> None:
    one = ended("unpaid", payment=payment("hold", state="unpaid", number=20))
    assert decide(commands.PayAgain(id=BOOKING, payment=WANTED), facts(one)).refusal == "cards_unavailable"


@pytest.mark.parametrize("order", list(permutations(["keep", "expire", "give_up"])))
def test_card_and_end_of_page_agree_in_any_order(order: tuple[str, ...]) -> None:
    """Whichever is first, the person has the session, or no card is kept."""
    one = waiting()
    for step in (*order, *order):
        assert one.payment is not None
        command: commands.Command
        if step == "keep":
            command = keep(one.payment)
        elif step == "expire":
            command = commands.EndPayments(payments=[one.payment], state="expired")
        else:
            command = commands.GiveUpPayment(id=BOOKING)
        one = _after(one, decide(command, facts(one)))
    assert one.payment is not None
    assert (one.status, one.payment.state) in {(Status.CONFIRMED, "kept"), (Status.EXPIRED, "released")}


def _after(one: BookingSnapshot, decision: Decision) -> BookingSnapshot:
    """Return a booking after a decision about it."""
    for update in decision.change.updates:
        known = {name: value for name, value in update.values.items() if name in ("status", "ended_by", "expires_at")}
        one = replace(one, **known)
    for change in decision.change.payments:
        assert one.payment is not None
        states = {CardKept: "kept", CardReleased: "released", PaymentCanceled: "canceled"}
        state = change.state if isinstance(change, PaymentEnded) else states[type(change)]
        one = replace(one, payment=replace(one.payment, state=state))
    return one
