"""The pace of emails about bookings: which are sent at once, and how long the others are collected."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.emails.pace import (
    DAY,
    LONG_PAUSE,
    MAX_DAILY_EMAILS,
    MAX_PROMPT_EMAILS,
    PAUSE,
    RecentEmails,
    collected_until,
)
from tests.fixtures.clock import INSTANT

HOUR, MINUTE, NEXT_MONTH = timedelta(hours=1), timedelta(minutes=1), timedelta(days=30)


@pytest.mark.parametrize(
    ("recent", "deadline", "wait"),
    [
        (RecentEmails(0, 0), NEXT_MONTH, None),
        (RecentEmails(5, 5), NEXT_MONTH, None),
        (RecentEmails(6, 6), NEXT_MONTH, PAUSE),
        (RecentEmails(6, 0), NEXT_MONTH, PAUSE),  # other accounts caused them
        (RecentEmails(0, 0, is_waiting=True), NEXT_MONTH, PAUSE),
        (RecentEmails(5, 5, of_change=12), NEXT_MONTH, None),  # a series
        (RecentEmails(0, 9, of_change=12), NEXT_MONTH, PAUSE),
        (RecentEmails(6, 11), NEXT_MONTH, PAUSE),
        (RecentEmails(6, 12), NEXT_MONTH, LONG_PAUSE),
        (RecentEmails(0, 19), NEXT_MONTH, None),
        (RecentEmails(0, 20), NEXT_MONTH, DAY),
        (RecentEmails(0, 20), 2 * DAY, DAY),
        (RecentEmails(0, 20), DAY + 5 * HOUR, 5 * HOUR),
        (RecentEmails(6, 12), DAY + 20 * MINUTE, 20 * MINUTE),
        (RecentEmails(0, 20), DAY, PAUSE),
        (RecentEmails(0, 20), HOUR, PAUSE),
        (RecentEmails(0, 20), timedelta(0), PAUSE),
    ],
)
def test_email_waits_by_what_was_sent_before(recent: RecentEmails, deadline: timedelta, wait: timedelta | None) -> None:
    until = collected_until(INSTANT, recent, INSTANT + deadline)
    assert until == (None if wait is None else INSTANT + wait)


@dataclass
class Inbox:
    """A guru's emails: the time of each, and the accounts of the changes in it."""

    prompt: list[tuple[datetime, int]] = field(default_factory=list)
    collected: list[tuple[datetime, set[int]]] = field(default_factory=list)
    waiting: list[tuple[datetime, datetime, int]] = field(default_factory=list)  # since, due, account
    delays: list[timedelta] = field(default_factory=list)

    def pass_until(self, now: datetime) -> None:
        """Send what is due before `now`, as the job of each minute does."""
        while self.waiting and (due := min(due for _, due, _ in self.waiting)) <= now:
            self.collected.append((due, {account for _, _, account in self.waiting}))
            self.delays += [due - since for since, _, _ in self.waiting]
            self.waiting = []

    def of_account(self, account: int, now: datetime) -> int:
        """Return how many emails of the last day an account caused."""
        one_by_one = [at for at, by in self.prompt if by == account]
        return sum(at > now - DAY for at in [*one_by_one, *(at for at, by in self.collected if account in by)])

    def change(self, now: datetime, account: int, deadline: datetime) -> None:
        """Send an email about a change, or collect it."""
        is_pending = any(by == account for _, _, by in self.waiting)
        recent = RecentEmails(sum(at > now - HOUR for at, _ in self.prompt), self.of_account(account, now) + is_pending)
        until = collected_until(now, recent, deadline)
        if until is None:
            self.prompt.append((now, account))
            self.delays.append(timedelta(0))
        else:
            self.waiting.append((now, until, account))


GAPS = st.sampled_from([timedelta(seconds=1), MINUTE, 4 * MINUTE, 40 * MINUTE, 3 * HOUR])


@given(st.lists(st.tuples(GAPS, st.integers(1, 3), st.sampled_from([HOUR, DAY + HOUR, NEXT_MONTH])), max_size=150))
def test_pace_drops_no_change_and_keeps_its_bounds(changes: list[tuple[timedelta, int, timedelta]]) -> None:
    inbox, now = Inbox(), INSTANT
    for gap, account, deadline in changes:
        now += gap
        inbox.pass_until(now)
        inbox.change(now, account, now + deadline)
        assert all(due - since <= (PAUSE if deadline == HOUR else DAY) for since, due, _ in inbox.waiting[-1:])
        assert sum(at > now - HOUR for at, _ in inbox.prompt) <= MAX_PROMPT_EMAILS
    inbox.pass_until(now + DAY)
    assert len(inbox.delays) == len(changes)
    assert max(inbox.delays, default=timedelta(0)) <= DAY


@given(st.lists(GAPS, max_size=300))
def test_account_causes_at_most_twenty_emails_daily(gaps: list[timedelta]) -> None:
    inbox, now = Inbox(), INSTANT
    for gap in gaps:
        now += gap
        inbox.pass_until(now)
        inbox.change(now, 1, now + NEXT_MONTH)
    inbox.pass_until(now + DAY)
    times = sorted([at for at, _ in inbox.prompt] + [at for at, _ in inbox.collected])
    assert all(sum(at - DAY < other <= at for other in times) <= MAX_DAILY_EMAILS for at in times)
