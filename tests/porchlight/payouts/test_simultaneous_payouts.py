"""Payouts that are requested at the same time: the second one waits, counts the first, and is refused."""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import pytest

from tests.porchlight.settlement.both_sides import BothSides


@pytest.mark.parametrize("whose", ["the same guru", "another guru"])
async def test_payouts_at_once_are_counted_in_order(sides: BothSides, whose: str) -> None:
    """The second request waits for the first one, and counts it: as under way, and in the platform's limit."""
    first = sides.guru(20_000)
    second = first if whose == "the same guru" else sides.guru(20_000)
    # Of the earlier tests, within the last 24 hours, as `request` counts.
    taken = sides.one(
        "SELECT coalesce(sum(amount), 0) FROM payouts"
        " WHERE method = 'instant' AND NOT automatic AND state NOT IN ('failed', 'canceled')"
        " AND created_at >= app.now() - interval '24 hours'"
    )
    most = int(taken[0]) + 1_000
    found: list[Any] = []
    with psycopg.connect(sides.database.app_url) as conn:
        assert sides.request_in(conn, first, 1_000, platform=most)[0] == "created"
        waiting = threading.Thread(target=lambda: found.append(sides.request(second, 1_000, platform=most)[0]))
        waiting.start()
        while sides.one("SELECT count(*) FROM pg_locks WHERE NOT granted") == (0,):
            assert waiting.is_alive(), found
    waiting.join()
    assert found == ["payout_in_progress" if whose == "the same guru" else "platform_limit"]
    await sides.settlement.send_due()  # so that no later test sends it


async def test_second_open_payout_is_refused_by_database(sides: BothSides) -> None:
    """Without the lock of payouts too."""
    guru = sides.guru(20_000)
    assert sides.request(guru, 1_000)[0] == "created"
    second = (
        "INSERT INTO payouts (user_id, id, account_id, amount, method, state, automatic)"
        " SELECT user_id, uuidv7(), account_id, 100, 'instant', %s, %s FROM payouts WHERE user_id = %s LIMIT 1"
    )
    for state in ("requested", "sent"):
        with pytest.raises(psycopg.errors.UniqueViolation, match="uq_payouts_account_id_open"):
            sides.run(second, state, False, guru.user_id)
    assert sides.run(second, "in_transit", False, guru.user_id) == 1
    assert sides.run(second, "sent", True, guru.user_id) == 1
    await sides.settlement.send_due()
