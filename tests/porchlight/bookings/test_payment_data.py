"""Payments by card as their person reads them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments.models import Payment
from porchlight.features.bookings.payments.queries import payment_data
from tenants.kit import clock
from tenants.kit.ids import new_id

HOUR = timedelta(hours=1)
TERMS = {"free_until_minutes": 1440, "late_percent": 50, "missed_percent": 100, "moves_max": 2, "move_until_minutes": 0}


def booked(*, hours_ahead: int = 72, **values: Any) -> Booking:
    starts_at = clock.now() + hours_ahead * HOUR
    defaults = {"terms": TERMS, "price_cents": 7500, "moves": 0, "status": "confirmed"}
    return Booking(id=new_id(), starts_at=starts_at, **{**defaults, **values})


def paid(**values: Any) -> Payment:
    now = clock.now()
    defaults = {
        "id": new_id(), "group_id": new_id(), "state": "paid", "amount_cents": 7500, "refunded_cents": 0,
        "mode": "full", "purpose": "session", "disputed_cents": 0, "disputed_fee_cents": 0, "used_cents": 0,
        "checkout_url": "https://pay.example/1", "card_brand": "visa", "card_last4": "4242", "disputed": False,
        "expires_at": now + HOUR, "paid_at": now - HOUR,
    }  # fmt: skip
    return Payment(**{**defaults, **values})


@pytest.mark.parametrize(
    ("booking", "payment", "cents"),
    [
        ({}, {}, 7500),
        ({"hours_ahead": 2}, {}, 3750),
        ({"hours_ahead": 2, "status": "requested"}, {}, 7500),
        ({"hours_ahead": -1}, {}, 0),
        ({"status": "canceled"}, {}, 0),
        ({}, {"disputed": True}, 0),
        ({"hours_ahead": 2}, {"refunded_cents": 3000}, 750),
    ],
)
def test_payment_data_says_what_a_cancellation_returns(
    booking: dict[str, Any], payment: dict[str, Any], cents: int
) -> None:
    data = payment_data(booked(**booking), paid(**payment))
    assert (data.refund_cents, data.card, data.url) == (cents, "Visa ending in 4242", "")


def test_payment_data_of_hold_counts_down_and_totals() -> None:
    held = booked(status="held", expires_at=clock.now() + HOUR)
    data = payment_data(held, paid(state="open", paid_at=None), 30000)
    assert (data.amount_cents, data.total_cents, data.url) == (7500, 30000, "https://pay.example/1")
    assert 3590 <= data.seconds_left <= 3600
    assert payment_data(booked(expires_at=clock.now() + HOUR), paid()).seconds_left == 0


@pytest.mark.parametrize(
    ("status", "ended_ago", "is_late"), [("expired", 2, True), ("expired", 0, False), ("canceled", 2, False)]
)
def test_payment_data_tells_a_late_payment(status: str, ended_ago: int, *, is_late: bool) -> None:
    ended = booked(status=status, ended_at=clock.now() - ended_ago * HOUR)
    assert payment_data(ended, paid()).is_late is is_late
