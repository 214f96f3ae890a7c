"""Tests of what each end of a booking does to its payment, for every way to pay. Decided without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.facts import BookingSnapshot, PaymentMode, PaymentSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.payments.changes import (
    BeginPayment,
    CardReleased,
    ChargeCard,
    NewRefund,
    PaymentCanceled,
    PaymentPaid,
)
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.terms import terms_at
from tests.porchlight.bookings.states import BOOKED, BOOKING, CALENDAR, HOUR, NOW, TERMS, booking, facts
from tests.porchlight.bookings.test_payment_decisions import WANTED

# $45.01, of which half is owed for canceling late ($22.51) and all for not coming; a deposit of 30 % ($13.50).
WAYS: dict[PaymentMode, dict[str, Any]] = {
    "full": TERMS | {"payment": "full"},
    "deposit": TERMS | {"payment": "deposit", "deposit_percent": 30},
    "hold": TERMS | {"payment": "hold"},
}
AMOUNTS = {"full": (4501, 450), "deposit": (1350, 135), "hold": (4501, 450)}
Outcome = tuple[Literal["refund", "charge", "release", "nothing"], int, int]
NOTHING: Outcome = ("nothing", 0, 0)
RELEASED: Outcome = ("release", 0, 0)


def payment(mode: PaymentMode, state: str = "", **values: Any) -> PaymentSnapshot:
    """Return the payment of a booking: paid, or with the card kept."""
    amount, fee = AMOUNTS[mode]
    own: dict[str, Any] = {
        "id": UUID(int=50), "booking_id": BOOKING, "group_id": UUID(int=50), "number": 1,
        "state": state or ("kept" if mode == "hold" else "paid"), "amount_cents": amount, "fee_cents": fee,
        "fee_bps": 1000, "fee_minimum_cents": 50, "mode": mode,
    }  # fmt: skip
    return PaymentSnapshot(**own | values)


def booked(mode: PaymentMode, status: Status = Status.CONFIRMED, **values: Any) -> BookingSnapshot:
    """Return a booking that is paid in a way."""
    own: dict[str, Any] = {"terms": WAYS[mode], "is_sent": True, "payment": payment(mode)}
    return booking(status, **own | values)


def outcome(decision: Decision) -> Outcome:
    """Return what becomes of the money, with the amount and the platform's part of it."""
    assert decision.refusal is None
    found = [one for one in decision.change.payments if not isinstance(one, PaymentPaid)]
    if not found:
        return NOTHING
    (change,) = found
    if isinstance(change, CardReleased):
        return RELEASED
    assert isinstance(change, NewRefund | ChargeCard)
    return "refund" if isinstance(change, NewRefund) else "charge", change.amount_cents, change.fee_cents


def end(name: str, mode: PaymentMode, approval: str) -> Decision:
    """Carry out one of the ends of a booking."""
    soon, over = {"starts_at": NOW + 2 * HOUR, "ends_at": NOW + 3 * HOUR}, {"starts_at": NOW - 2 * HOUR}
    over["ends_at"] = NOW - HOUR
    common: dict[str, Any] = {"approval": approval}
    match name:
        case "canceled_early" | "canceled_late" | "guru_canceled" | "staff_canceled":
            one = booked(mode, **common | ({} if name == "canceled_early" else soon))
            actors = {"guru_canceled": Actor.GURU, "staff_canceled": Actor.STAFF}
            digest = terms_at(one, NOW).digest
            command: commands.Command = commands.Cancel(
                id=BOOKING, actor=actors.get(name, Actor.PERSON), terms_digest=digest
            )
        case "withdrawn":
            one = booked(mode, Status.REQUESTED, **common | soon)
            command = commands.Cancel(id=BOOKING, actor=Actor.PERSON)
        case "declined":
            one = booked(mode, Status.REQUESTED, **common)
            command = commands.AnswerRequest(id=BOOKING, accept=False)
        case "not_answered":
            one = booked(mode, Status.REQUESTED, **common | {"expires_at": NOW})
            command = commands.Expire()
        case "missed":
            one = booked(mode, **common | over)
            command = commands.RecordAttendance(id=BOOKING, missed=True)
        case "missed_reversed":
            charged = payment(mode, state="paid")
            one = booked(mode, Status.MISSED, **common | over | {"owed_cents": 4501, "payment": charged})
            command = commands.RecordAttendance(id=BOOKING, missed=False)
        case _:
            given = {"starts_at": NOW - 30 * HOUR, "ends_at": NOW - 29 * HOUR}
            one = booked(mode, **common | given)
            command = commands.Complete(ids=[BOOKING])
    return decide(command, facts(one))


ENDS: dict[str, dict[PaymentMode, Outcome]] = {
    "canceled_early": {"full": ("refund", 4501, 450), "deposit": ("refund", 1350, 135), "hold": RELEASED},
    "canceled_late": {"full": ("refund", 2250, 225), "deposit": NOTHING, "hold": ("charge", 2251, 225)},
    "guru_canceled": {"full": ("refund", 4501, 450), "deposit": ("refund", 1350, 135), "hold": RELEASED},
    "staff_canceled": {"full": ("refund", 4501, 450), "deposit": ("refund", 1350, 135), "hold": RELEASED},
    "withdrawn": {"full": ("refund", 4501, 450), "deposit": ("refund", 1350, 135), "hold": RELEASED},
    "declined": {"full": ("refund", 4501, 450), "deposit": ("refund", 1350, 135), "hold": RELEASED},
    "not_answered": {"full": ("refund", 4501, 450), "deposit": ("refund", 1350, 135), "hold": RELEASED},
    "missed": {"full": NOTHING, "deposit": NOTHING, "hold": ("charge", 4501, 450)},
    "missed_reversed": {"full": NOTHING, "deposit": NOTHING, "hold": ("refund", 4501, 450)},
    "given": {"full": NOTHING, "deposit": NOTHING, "hold": NOTHING},
}


@pytest.mark.parametrize("approval", ["instant", "request"])
@pytest.mark.parametrize("mode", list(WAYS))
@pytest.mark.parametrize("name", list(ENDS))
def test_end_of_booking_settles_its_payment(name: str, mode: PaymentMode, approval: str) -> None:
    assert outcome(end(name, mode, approval)) == ENDS[name][mode]


@pytest.mark.parametrize(
    ("mode", "line", "begun"),
    [
        ("full", (4501, "Lesson with Ada"), (4501, 450)),
        ("deposit", (1350, "Deposit: Lesson with Ada"), (1350, 135)),
        ("hold", None, (4501, 450)),
    ],
)
def test_booking_asks_for_what_is_due_now(
    mode: PaymentMode, line: tuple[int, str] | None, begun: tuple[int, int]
) -> None:
    held = booking(Status.HELD, terms=WAYS[mode], is_token=True, terms_digest="ab")
    command = commands.Book(booked=BOOKED, policy="ab", rules_version=CALENDAR.rules_version, payment=WANTED)
    decision = decide(command, facts(held))
    (payment,) = decision.change.payments
    assert isinstance(payment, BeginPayment)
    assert (payment.mode, payment.amount_cents, payment.fee_cents) == (mode, *begun)
    checkout = payment.checkout or {}
    if line is None:
        assert (checkout["mode"], checkout["customer_creation"]) == ("setup", "always")
        assert checkout["setup_intent_data"]["metadata"] == checkout["metadata"] == {"payment": str(payment.id)}
        assert "line_items" not in checkout
    else:
        (found,) = checkout["line_items"]
        assert (found["price_data"]["unit_amount"], found["price_data"]["product_data"]["name"]) == line
    assert 31 * 60 <= checkout["expires_at"] - NOW.timestamp() < 35 * 60
    assert decision.change.updates[0].values["expires_at"] == NOW + timedelta(minutes=35)


def test_series_with_kept_card_has_one_page() -> None:
    further = booking(Status.HELD, id=UUID(int=31), terms=WAYS["hold"], is_sent=True, payment=None)
    first = booking(
        Status.HELD, terms=WAYS["hold"], is_sent=True, payment=payment("hold", state="failed"), expires_at=NOW + HOUR
    )
    both = payment("hold", state="failed", id=UUID(int=51), booking_id=UUID(int=31))
    found = facts(first, replace(further, payment=both, expires_at=NOW + HOUR))
    decision = decide(commands.PayAgain(id=BOOKING, payment=WANTED), found)
    begun = [one for one in decision.change.payments if isinstance(one, BeginPayment)]
    assert [one.checkout is not None for one in begun] == [True, False]
    assert len({one.group_id for one in begun}) == 1


@pytest.mark.parametrize("mode", list(WAYS))
def test_open_page_closes_when_hold_is_given_up(mode: PaymentMode) -> None:
    one = booking(Status.HELD, terms=WAYS[mode], is_sent=True, payment=payment(mode, state="open"))
    decision = decide(commands.GiveUpPayment(id=BOOKING), facts(one))
    assert decision.change.payments == [PaymentCanceled(id=UUID(int=50), close=True)]


def test_deposit_keeps_no_more_than_is_owed() -> None:
    cheap = WAYS["deposit"] | {"late_percent": 10}
    one = booked("deposit", terms=cheap, starts_at=NOW + 2 * HOUR)
    command = commands.Cancel(id=BOOKING, actor=Actor.PERSON, terms_digest=terms_at(one, NOW).digest)
    assert outcome(decide(command, facts(one))) == ("refund", 1350 - 451, 85)  # the least fee of the $4.51 is $0.50
