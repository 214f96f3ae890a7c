"""Protocols for what the mail receiver delivers: replies to threads, and answers to invitations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from porchlight.inbound_mail.calendar_answer import CalendarAnswer
from porchlight.inbound_mail.received_email import AttachedFile
from porchlight.inbound_mail.sender_check import SenderCheck


@dataclass(frozen=True, slots=True)
class Relay:
    """A person's side of a thread. `address`: the verified one of their account, lowercased. `url`: of the thread."""

    token: UUID
    user_id: UUID
    thread_id: UUID
    address: str
    url: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply by email. `key`: the same for each delivery of one email."""

    words: str
    files: Sequence[AttachedFile]
    key: str
    check: SenderCheck


class ReplyRefused(Exception):
    """The reply cannot be delivered. The message is for its writer."""


class Threads(Protocol):
    """The conversations that replies by email go into."""

    async def find_relay(self, token: UUID) -> Relay | None:
        """Return the side of a thread that a token names, or None for an unknown one."""

    async def deliver(self, relay: Relay, reply: Reply) -> None:
        """Put a reply into its thread, once for each key. Raises ReplyRefused."""


class Invitations(Protocol):
    """The sessions whose invitations calendar programs answer."""

    async def record_answer(self, tenant_id: UUID, answer: CalendarAnswer, sender: str, check: SenderCheck) -> bool:
        """Carry out an answer to a guru's invitation. Return False if the sender was not invited to this event."""
