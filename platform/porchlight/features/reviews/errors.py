"""Why a review cannot be written, for people."""

from __future__ import annotations

from porchlight.features.reviews.rules import ReviewRefusal, Side
from tenants.kit.errors import Conflict, Forbidden, ProductError

_CLOSED = "Reviews are open for 14 days after a session."


class ReviewClosed(Conflict):
    """The session has not ended, or its reviews are over."""

    code = "review_closed"
    message = _CLOSED


class OwnSite(Conflict):
    """The session is with the user's own site."""

    code = "own_site"
    message = "You cannot review your own site."


class ReviewIsGurus(Forbidden):
    """An admin who impersonates the guru writes a review or a reply."""

    code = "review_is_gurus"
    message = "Only the guru can write reviews and replies."


_MESSAGES = {
    ReviewRefusal.NOT_ENDED: "You can review a session once it has ended.",
    ReviewRefusal.NO_SESSION: "This session didn't take place, so it can't be reviewed.",
    ReviewRefusal.NO_LINK: "This session was booked for someone without an email address, so it has no reviews.",
    ReviewRefusal.MISSED: "The guru noted that you missed this session, so you can't review it.",
    ReviewRefusal.REVEALED: "The reviews of this session are out, so yours can't be changed anymore.",
    ReviewRefusal.CLOSED: _CLOSED,
}


def refused(reason: ReviewRefusal) -> ProductError:
    """Return the error of a refusal."""
    return OwnSite() if reason is ReviewRefusal.OWN_SITE else ReviewClosed(_MESSAGES[reason])


def reason_text(reason: ReviewRefusal | None, side: Side) -> str:
    """Return why a side cannot write, as a sentence. "" while it can, and where nothing needs to be said."""
    if reason is None or reason is ReviewRefusal.NOT_ENDED or (reason is ReviewRefusal.NO_SESSION and side == "person"):
        return ""
    return refused(reason).message
