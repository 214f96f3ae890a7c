"""The pace of emails about bookings: the first ones are sent at once, the others of a burst are collected into one.

Booking and canceling in a loop costs nothing, and each round once was two emails to the guru.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_PROMPT_EMAILS = 6  # to one recipient within an hour
MAX_DAILY_EMAILS = 20  # to one recipient within 24 hours, because of one account
MAX_BRISK_EMAILS = 12  # of those, before the pauses get longer
# The job of each minute sends what was collected, so an email waits ten minutes at most.
PAUSE = timedelta(minutes=9)
LONG_PAUSE = timedelta(hours=1)
DAY = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class RecentEmails:
    """Emails to one recipient before a change, which may need several: one for each session of a series.

    `prompt`: those of the last hour that were not collected. `of_account`: all of the last 24 hours that the same
    account caused, with the one that is being collected. `of_change`: how many the change itself needs. `is_waiting`:
    an earlier change of the same booking is being collected, which this one must not overtake.
    """

    prompt: int
    of_account: int
    of_change: int = 1
    is_waiting: bool = False


def collected_until(now: datetime, recent: RecentEmails, deadline: datetime) -> datetime | None:
    """Return until when an email is collected with others of its recipient, or None to send it at once.

    `deadline`: the time until which the recipient can act, such as the start of the session. In the last 24 hours
    before it, the email waits for one PAUSE at most.
    """
    is_within_day = recent.of_account + recent.of_change <= MAX_DAILY_EMAILS
    if recent.prompt < MAX_PROMPT_EMAILS and is_within_day and not recent.is_waiting:
        return None
    pause = PAUSE
    if recent.of_account >= MAX_DAILY_EMAILS:
        pause = DAY
    elif recent.of_account >= MAX_BRISK_EMAILS:
        pause = LONG_PAUSE
    return max(now + PAUSE, min(now + pause, deadline - DAY))
