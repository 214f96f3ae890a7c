"""When a review can be written, as a table: no database and no clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from porchlight.features.reviews.rules import ReviewRefusal, SessionFacts, Side, open_until, refusal

END = datetime(2027, 1, 13, 17, 0, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
FACTS = SessionFacts(
    status="completed", ends_at=END, lacks_link=False, is_checked_in=False, is_own_site=False, own_reveals_at=None
)
BOTH: tuple[Side, Side] = ("person", "guru")


@pytest.mark.parametrize("side", BOTH)
@pytest.mark.parametrize("status", ["confirmed", "completed"])
def test_ended_session_can_be_reviewed(side: Side, status: str) -> None:
    assert refusal(side, replace(FACTS, status=status), END) is None


@pytest.mark.parametrize("side", BOTH)
@pytest.mark.parametrize("status", ["held", "requested", "declined", "canceled", "expired"])
def test_session_that_did_not_happen_is_refused(side: Side, status: str) -> None:
    assert refusal(side, replace(FACTS, status=status), END + DAY) is ReviewRefusal.NO_SESSION


@pytest.mark.parametrize("side", BOTH)
@pytest.mark.parametrize(
    ("since_end", "expected"),
    [
        (-SECOND, ReviewRefusal.NOT_ENDED),
        (timedelta(), None),
        (14 * DAY - SECOND, None),
        (14 * DAY, ReviewRefusal.CLOSED),
        (14 * DAY + SECOND, ReviewRefusal.CLOSED),
    ],
)
def test_review_is_open_for_14_days(side: Side, since_end: timedelta, expected: ReviewRefusal | None) -> None:
    assert refusal(side, FACTS, END + since_end) is expected


@pytest.mark.parametrize("side", BOTH)
def test_review_can_be_changed_until_revealed(side: Side) -> None:
    hidden = replace(FACTS, own_reveals_at=open_until(END))
    assert refusal(side, hidden, END + 13 * DAY) is None
    assert refusal(side, hidden, open_until(END)) is ReviewRefusal.REVEALED
    revealed = replace(FACTS, own_reveals_at=END + DAY)
    assert refusal(side, revealed, END + DAY - SECOND) is None
    assert refusal(side, revealed, END + DAY) is ReviewRefusal.REVEALED


@pytest.mark.parametrize(
    ("side", "checked_in", "expected"),
    [
        ("person", False, ReviewRefusal.MISSED),
        ("person", True, None),  # a guru cannot take the review from someone who was there
        ("guru", False, None),
        ("guru", True, None),
    ],
)
def test_missed_session_is_reviewed_by_guru(side: Side, checked_in: bool, expected: ReviewRefusal | None) -> None:
    missed = replace(FACTS, status="missed", is_checked_in=checked_in)
    assert refusal(side, missed, END + DAY) is expected


@pytest.mark.parametrize("side", BOTH)
def test_own_site_and_missing_link_are_refused(side: Side) -> None:
    assert refusal(side, replace(FACTS, is_own_site=True), END + DAY) is ReviewRefusal.OWN_SITE
    assert refusal(side, replace(FACTS, lacks_link=True), END + DAY) is ReviewRefusal.NO_LINK
    # The address is forgotten after the reviews have closed.
    assert refusal(side, replace(FACTS, lacks_link=True), open_until(END)) is ReviewRefusal.CLOSED
