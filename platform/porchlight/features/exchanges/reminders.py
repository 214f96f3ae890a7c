"""The reminders of an agreed session: which emails are due when. Pure, without database and clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from porchlight.features.exchanges.agreement import SIDES, Agreement, Email, lacks_waiver

REMINDER_QUIET = timedelta(minutes=15)  # after the two agreed on the session


@dataclass(frozen=True, slots=True)
class Reminder:
    """An email before an agreed session: due `before` its start, and skipped `too_late` before it.

    `is_waiver`: to the learner alone, while a waiver is due; the others are to both.
    """

    kind: str
    before: timedelta
    too_late: timedelta
    is_waiver: bool = False


REMINDERS = (
    Reminder("waiver_week", timedelta(days=7), timedelta(days=2), is_waiver=True),
    Reminder("waiver_days", timedelta(days=2), timedelta(0), is_waiver=True),
    Reminder("day_before", timedelta(days=1), timedelta(hours=2)),
    Reminder("soon", timedelta(hours=2), timedelta(0)),
)


def next_reminder(starts_at: datetime, after: datetime) -> datetime | None:
    """Return when the next reminders of a session are due, at `after` at the earliest; None if no more are."""
    return min((due for one in REMINDERS if (due := starts_at - one.before) >= after), default=None)


def due_reminders(agreement: Agreement, since: datetime, now: datetime) -> list[Email]:
    """Return the reminders of an agreed session that have become due from `since` until now, and are not too late."""
    start = agreement.starts_at
    if agreement.status != "confirmed" or start is None:
        return []
    due = [one for one in REMINDERS if since <= start - one.before <= now < start - one.too_late]
    return [
        Email(one.kind, side)
        for one in due
        if not one.is_waiver or lacks_waiver(agreement.risk, agreement.waiver_until, start)
        for side in (("learner",) if one.is_waiver else SIDES)
    ]
