"""Whether and how a message is delivered: pure, without database and clock."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

MAX_THREADS_A_DAY = 30  # that a person opens
MAX_MESSAGES_AN_HOUR = 60
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MAIL_DELAY = timedelta(minutes=3)  # unread for so long
MAIL_PAUSE = timedelta(hours=1)  # between two emails about a thread
LINK_DELAY = timedelta(minutes=10)  # of a request with a link, until it counts as unread
# What people and programs follow: an address with a scheme, a host with a path or a usual ending, an email address.
_LINK = re.compile(
    r"https?://|\bwww\.|[\w.+-]+@[\w-]+\.\w|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|biz|io|co|me|app|dev|shop|site"
    r"|online|xyz|link|click|top|ru|cn|us|ly)\b|\b[\w-]+\.[a-z]{2,}/\w",
    re.IGNORECASE,
)


class DeliveryRefusal(StrEnum):
    """Why a message is not delivered."""

    NOT_TAKING = "not_taking"  # the account is not active, or the other person blocked the sender
    BLOCKED = "blocked"  # the sender blocked the other person
    UNVERIFIED = "unverified"
    TOO_MANY_THREADS = "too_many_threads"
    TOO_MANY_MESSAGES = "too_many_messages"
    FILE_GONE = "file_gone"
    KEY_REUSED = "key_reused"


@dataclass(frozen=True, slots=True)
class DeliveryFacts:
    """The facts that a delivery depends on. `is_request` to `mailed_at`: of the thread as the other person sees it.

    `earlier_number` and `earlier_digest`: of the message that was sent under the same key. `files`: how many of the
    message's files the sender can still attach.
    """

    now: datetime
    has_thread: bool
    is_request: bool
    is_muted: bool
    is_held: bool
    unread: int
    mailed_at: datetime | None
    is_active: bool
    blocks: bool
    is_blocked: bool
    earlier_number: int | None
    earlier_digest: bytes
    messages: int
    threads: int
    files: int


@dataclass(frozen=True, slots=True)
class Command:
    """A message to be sent. `knows`: the two have more in common than a public page."""

    body: str
    files: int
    digest: bytes
    is_verified: bool
    knows: bool
    is_limited: bool = True


@dataclass(frozen=True, slots=True)
class DeliveryPlan:
    """How a message is delivered. `hold_until`: until when it does not count as unread; `mail_at`: of the email."""

    is_request: bool
    hold_until: datetime | None
    mail_at: datetime | None


@dataclass(frozen=True, slots=True)
class Resent:
    """The message was sent before, under the same key and with the same content."""

    number: int


def decide_delivery(command: Command, facts: DeliveryFacts) -> DeliveryPlan | Resent | DeliveryRefusal:
    """Return how a message is delivered, that it was sent before, or why it is refused.

    A resend is answered first: what was sent stays sent.
    """
    if facts.earlier_number is not None:
        same = facts.earlier_digest == command.digest
        return Resent(facts.earlier_number) if same else DeliveryRefusal.KEY_REUSED
    if facts.blocks:
        return DeliveryRefusal.BLOCKED
    if facts.is_blocked or not facts.is_active:
        return DeliveryRefusal.NOT_TAKING
    if not command.is_verified:
        return DeliveryRefusal.UNVERIFIED
    if command.is_limited and facts.messages >= MAX_MESSAGES_AN_HOUR:
        return DeliveryRefusal.TOO_MANY_MESSAGES
    if command.is_limited and not facts.has_thread and facts.threads >= MAX_THREADS_A_DAY:
        return DeliveryRefusal.TOO_MANY_THREADS
    if facts.files != command.files:
        return DeliveryRefusal.FILE_GONE
    is_request = facts.is_request if facts.has_thread else not command.knows
    has_new_link = is_request and has_link(command.body)
    # What counts as unread already stays so: only a thread with nothing unread, or one that is held, can be held.
    can_hold = facts.is_held or facts.unread == 0
    delay = LINK_DELAY if has_new_link else timedelta(0)
    return DeliveryPlan(
        is_request=is_request,
        hold_until=facts.now + delay if has_new_link and can_hold else None,
        mail_at=None if facts.is_muted else mail_time(facts.now + delay, facts.mailed_at),
    )


def mail_time(since: datetime, mailed_at: datetime | None) -> datetime:
    """Return when an email about a message is due: after a while unread, and a while after the last email."""
    due = since + MAIL_DELAY
    return due if mailed_at is None else max(due, mailed_at + MAIL_PAUSE)


def has_link(body: str) -> bool:
    """Return whether a text has what leads elsewhere: an address of a page or of a mailbox."""
    return _LINK.search(body) is not None


def preview(body: str, file_names: Sequence[str], *, is_removed: bool, most: int = 140) -> str:
    """Return the beginning of a message for a list, on one line."""
    if is_removed:
        return "Message removed"
    line = " ".join(body.split())
    if not line:
        return file_names[0] if len(file_names) == 1 else f"{len(file_names)} files"
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
