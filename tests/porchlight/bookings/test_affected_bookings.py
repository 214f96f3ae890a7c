"""The booked sessions that changed rules affect, which a guru sees before saving."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from porchlight.features.bookings.guru.affected import ChangedRules, is_affected
from porchlight.features.bookings.models import Booking
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.bookings.sessions import book_session

START = datetime(2030, 12, 2, 16, 30, tzinfo=UTC)  # a Monday, 9:30 in Denver
OPENS = {0: [(9 * 60, 17 * 60)]}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (ChangedRules(), False),
        (ChangedRules(minutes=60), False),
        (ChangedRules(minutes=45), True),
        (ChangedRules(party_max=2), False),
        (ChangedRules(party_max=1), True),
        (ChangedRules(capacity=3), False),
        (ChangedRules(capacity=2), True),
        (ChangedRules(step_minutes=30), False),
        (ChangedRules(step_minutes=60), True),
        (ChangedRules(zone="America/Denver"), False),
        (ChangedRules(zone="Europe/Berlin"), True),
    ],
)
def test_booking_is_affected_by_other_rules(rules: ChangedRules, expected: bool) -> None:
    booking = Booking(starts_at=START, ends_at=START + timedelta(hours=1), party=2, zone="America/Denver")
    assert is_affected(booking, rules, seats=3, is_fixed=False, opens=OPENS) is expected
    assert not is_affected(booking, ChangedRules(step_minutes=60), seats=3, is_fixed=True, opens=OPENS)


async def test_affected_bookings_are_named_and_stay(
    web: httpx.AsyncClient, new_owner: Any, create_user: CreateUser, database: Database
) -> None:
    gina, otto = await new_owner(), await new_owner()
    ada = await create_user("Ada Neighbor")
    met = book_session(database, gina.guru, ada, INSTANT + timedelta(days=2))
    book_session(database, gina.guru, ada, INSTANT - timedelta(days=2))
    book_session(database, otto.guru, ada, INSTANT + timedelta(days=2))
    query = {"serviceId": str(gina.guru.services[0]), "minutes": 25}
    found = await gina.call("GET", "/bookings/affected", params=query)
    assert [(one["id"], one["personName"]) for one in found["bookings"]] == [(met, "Ada Neighbor")]
    assert (await gina.call("GET", "/bookings/affected"))["bookings"] == []
    assert (await gina.call("GET", f"/bookings/{met}"))["status"] == "confirmed"
