"""For how long a subscription confers its plan."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from porchlight.plans.subscriptions import GRACE, right_until

FAILED, ENDED = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 5, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("state", "past_due_since", "period_end", "until"),
    [
        ("active", None, ENDED, None),
        ("incomplete", None, None, None),
        ("past_due", FAILED, ENDED, FAILED + GRACE),
        ("canceled", None, ENDED, ENDED + GRACE),
        ("canceled", FAILED, ENDED, FAILED + GRACE),
        ("canceled", None, None, None),
        ("unpaid", FAILED, ENDED, None),
        ("gone", FAILED, ENDED, None),
    ],
)
def test_right_until_follows_state(
    state: str, past_due_since: datetime | None, period_end: datetime | None, until: datetime | None
) -> None:
    assert right_until(state, past_due_since, period_end) == until
