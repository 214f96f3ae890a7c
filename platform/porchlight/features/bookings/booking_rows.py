"""Bookings of rows that a statement returns, outside a session of the ORM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import inspect

from porchlight.features.bookings.models import Booking

BOOKING_COLUMNS = tuple(column.key for column in inspect(Booking).columns)


def booking_of(values: Sequence[Any]) -> Booking:
    """Return the booking with these values of BOOKING_COLUMNS. It belongs to no session of the ORM."""
    return Booking(**dict(zip(BOOKING_COLUMNS, values, strict=True)))
