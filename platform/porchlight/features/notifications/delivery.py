"""The decision on a notification: whether its email leaves now, and when the digest and the devices take it.

Everything is on the page at once. Emails of ALWAYS leave at once, because they carry calendar files and answers; their
notes on devices keep quiet hours, unless they are urgent.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import NamedTuple
from zoneinfo import ZoneInfo

from porchlight.emails.kinds import ALWAYS, TOPICS, MailKind
from tenants.kit.zones import to_instant

DEFAULT_DIGEST_AT = 8 * 60  # minutes after midnight
DAY_MINUTES = 24 * 60


class MailMode(StrEnum):
    """When a person wants the emails of a kind."""

    NOW = "now"
    DAILY = "daily"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Hours:
    """A person's local day: when the digest comes, and from when until when it is quiet. In minutes after midnight."""

    zone: ZoneInfo
    digest_at: int = DEFAULT_DIGEST_AT
    quiet: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Preferences:
    """The wishes of a person for a kind. `hours`: None until they said so; then nothing is held back."""

    mail: MailMode
    push: bool
    hours: Hours | None = None


class ChannelPlan(NamedTuple):
    """The decision on a notification. `mail_at` and `push_at`: when the digest and the devices take it, None: never."""

    mails_now: bool
    mail_at: datetime | None
    push_at: datetime | None


def plan_delivery(
    kind: MailKind, preferences: Preferences, moment: datetime, *, is_urgent: bool, has_device: bool, has_digest: bool
) -> ChannelPlan:
    """Return what happens to a notification of `moment`.

    `has_digest`: a digest reaches the person, at a verified address, and they want it. Without it no email is held
    back: it would never come.
    """
    hours = preferences.hours
    topic = TOPICS[kind]
    quiet_end = None if is_urgent or not topic.can_wait or hours is None else end_of_quiet(hours, moment)
    push_at = (quiet_end or moment) if preferences.push and has_device else None
    if kind in ALWAYS:
        return ChannelPlan(True, None, push_at)
    if preferences.mail is MailMode.NEVER:
        return ChannelPlan(False, None, push_at)
    if not has_digest or not topic.can_wait or is_urgent:
        return ChannelPlan(True, None, push_at)
    if preferences.mail is MailMode.DAILY:
        return ChannelPlan(False, next_digest(hours or Hours(ZoneInfo("UTC")), moment), push_at)
    return ChannelPlan(quiet_end is None, quiet_end, push_at)


def end_of_quiet(hours: Hours, moment: datetime) -> datetime | None:
    """Return when the quiet hours around `moment` end, or None if it is not quiet.

    They are what the person's clocks show: a change of the clocks makes a night longer or shorter.
    """
    if hours.quiet is None:
        return None
    start, end = hours.quiet
    today = moment.astimezone(hours.zone).date()
    for days in (-1, 0):  # a night that began yesterday, and one that began today
        day = today + timedelta(days=days)
        begins = _instant(hours.zone, day, start)
        ends = _instant(hours.zone, day + timedelta(days=start > end), end)
        if begins <= moment < ends:
            return ends
    return None


def next_digest(hours: Hours, moment: datetime) -> datetime:
    """Return when the next digest after `moment` comes: at its time of day, or once the quiet hours around it end."""
    today = moment.astimezone(hours.zone).date()
    for days in (-1, 0, 1):
        due = _instant(hours.zone, today + timedelta(days=days), hours.digest_at)
        due = end_of_quiet(hours, due) or due
        if due > moment:
            return due
    return _instant(hours.zone, today + timedelta(days=2), hours.digest_at)


def _instant(zone: ZoneInfo, day: date, minute: int) -> datetime:
    hour, rest = divmod(minute, 60)
    return to_instant(datetime.combine(day, time(hour, rest)), zone)
