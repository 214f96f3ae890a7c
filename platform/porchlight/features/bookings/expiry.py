"""When a hold, a request and an offered seat expire."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tenants.kit.zones import local_time, to_instant

HOLD = timedelta(minutes=10)
# A guru has a day to answer a request, but not until later than two hours before the start. For a start that is near,
# they have an hour, until 15 minutes before it: no request is made `REQUEST_NOTICE_MINUTES` before its start.
ANSWER = timedelta(hours=24)
ANSWER_BEFORE_START = timedelta(hours=2)
NEAR_ANSWER = timedelta(hours=1)
NEAR_ANSWER_BEFORE_START = timedelta(minutes=15)
# A person has two waking hours to take a seat that is offered to them, until an hour before the start, but at least 15
# minutes.
OFFER = timedelta(hours=2)
OFFER_BEFORE_START = timedelta(hours=1)
MIN_OFFER = timedelta(minutes=15)
ATTENDANCE = timedelta(hours=48)  # after the end, in which the guru can say whether a person came or missed the session
WAKES_AT = timedelta(hours=8)
SLEEPS_AT = timedelta(hours=22)


def request_until(now: datetime, starts_at: datetime) -> datetime:
    """Return until when the guru can answer a request that is made now."""
    near = min(now + NEAR_ANSWER, starts_at - NEAR_ANSWER_BEFORE_START)
    return min(now + ANSWER, max(starts_at - ANSWER_BEFORE_START, near))


def offer_until(now: datetime, starts_at: datetime, zone: str) -> datetime:
    """Return until when a seat that is offered now is kept. The night where the session is does not count."""
    waking = to_instant(add_waking_time(local_time(now, zone), OFFER), ZoneInfo(zone))
    return max(min(waking, starts_at - OFFER_BEFORE_START), now + MIN_OFFER)


def add_waking_time(local: datetime, wait: timedelta) -> datetime:
    """Return the local time after which a person has been awake for `wait`, which is shorter than their day."""
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    if local >= midnight + SLEEPS_AT:
        midnight += timedelta(days=1)
    awake = max(local, midnight + WAKES_AT)
    night = timedelta(days=1) - SLEEPS_AT + WAKES_AT
    return awake + wait + (night if awake + wait > midnight + SLEEPS_AT else timedelta(0))
