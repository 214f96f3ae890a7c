"""When a review can be written, and when it is revealed (docs/reviews.md). Pure functions: no database and no clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from porchlight.contracts import REVIEW_PERIOD

Side = Literal["person", "guru"]
# A guru with many classes gets one email about waiting reviews in this time; the console counts all.
QUIET_PERIOD = timedelta(days=1)
_TOOK_PLACE = frozenset({"confirmed", "completed"})


class ReviewRefusal(StrEnum):
    """Why a review cannot be written."""

    NOT_ENDED = "not_ended"
    NO_SESSION = "no_session"  # it was canceled, declined or never confirmed
    NO_LINK = "no_link"  # the guru booked it for someone who has neither an account nor a link from an email
    OWN_SITE = "own_site"
    MISSED = "missed"
    REVEALED = "revealed"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """The facts that decide about a review of a session by one side.

    `lacks_link`: its person has no account, and the guru entered no address for the link. `own_reveals_at` is that of
    the side's review, None before it has written one.
    """

    status: str
    ends_at: datetime
    lacks_link: bool
    is_checked_in: bool
    is_own_site: bool
    own_reveals_at: datetime | None


def open_until(ends_at: datetime) -> datetime:
    """Return until when a review can be written, and when that of one side alone is revealed."""
    return ends_at + REVIEW_PERIOD


def refusal(side: Side, facts: SessionFacts, now: datetime) -> ReviewRefusal | None:
    """Return why a side cannot write or change its review now, or None if it can.

    Who missed a session cannot judge it. But a guru cannot take the review from someone who was checked in.
    """
    if facts.is_own_site:
        return ReviewRefusal.OWN_SITE
    if facts.status not in _TOOK_PLACE and facts.status != "missed":
        return ReviewRefusal.NO_SESSION
    if now < facts.ends_at:
        return ReviewRefusal.NOT_ENDED
    if facts.own_reveals_at is not None and facts.own_reveals_at <= now:
        return ReviewRefusal.REVEALED
    if now >= open_until(facts.ends_at):
        return ReviewRefusal.CLOSED
    if facts.lacks_link:
        return ReviewRefusal.NO_LINK
    if facts.status == "missed" and side == "person" and not facts.is_checked_in:
        return ReviewRefusal.MISSED
    return None
