"""Sending and removing messages: facts under the lock of both inboxes, the decision, and one write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.messages.delivery.rules import (
    DAY,
    HOUR,
    MAX_MESSAGES_AN_HOUR,
    MAX_THREADS_A_DAY,
    Command,
    DeliveryFacts,
    DeliveryPlan,
    DeliveryRefusal,
    Resent,
    decide_delivery,
)
from porchlight.features.messages.errors import TooManyFiles, error_of
from porchlight.features.messages.schemas import MAX_FILES, MessagePayload
from tenants.db.pipeline import Statement
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import new_id, parse_id

# It locks the inboxes, then reads.
_FACTS = """
SELECT app.delivery_facts(%(thread)s, %(other)s, %(guru)s, %(key)s, %(files)s::uuid[], %(messages_since)s,
                          %(threads_since)s, %(most)s)"""
_DELIVER = """
SELECT thread_id, number, change, unread, other_change, other_unread FROM app.deliver_message(
  %(new_thread)s, %(other)s, %(guru)s, %(guru_person)s, %(id)s, %(body)s, %(files)s::uuid[], %(key)s, %(digest)s,
  %(request)s, %(hold_until)s, %(mail_at)s, %(mail_check)s)"""
_REMOVE = "SELECT other_id, change, unread, other_change, other_unread FROM app.remove_message(%(thread)s, %(number)s)"


@dataclass(frozen=True, slots=True)
class Target:
    """The thread of a message, or the person and the guru of a new one."""

    thread_id: UUID | None = None
    person_id: UUID | None = None
    guru_id: UUID | None = None
    guru_person_id: UUID | None = None
    knows: bool = True


@dataclass(frozen=True, slots=True)
class Wake:
    """A person whose clients have something to fetch: the new state of their inbox."""

    user_id: UUID
    change: int
    unread: int


@dataclass(frozen=True, slots=True)
class SentMessage:
    """Where a message is. `wakes`: empty for a resend. `is_new`: it was not sent before."""

    thread_id: UUID
    number: int
    wakes: tuple[Wake, ...]

    @property
    def is_new(self) -> bool:
        """Return whether this call sent the message."""
        return bool(self.wakes)


async def send_message(
    db: Database,
    user_id: UUID,
    target: Target,
    payload: MessagePayload,
    *,
    key: str,
    is_verified: bool,
    is_limited: bool,
    mail_check: str = "",
) -> SentMessage:
    """Deliver a message, once per key. `mail_check`: whether the sender of one that came by email is verified.

    Raises NotFound, ValidationFailed, and the errors of a refusal.
    """
    files = _file_ids(payload)
    if not payload.body and not files:
        raise ValidationFailed(fields={"body": "Write a message or add a file."})
    digest = content_digest(payload.body, *map(str, files))
    command = Command(payload.body, len(files), digest, is_verified, target.knows, is_limited)
    values: dict[str, Any] = {
        "thread": target.thread_id, "other": target.person_id, "guru": target.guru_id, "key": key, "files": files,
        "messages_since": clock.now() - HOUR, "threads_since": clock.now() - DAY,
        "most": max(MAX_MESSAGES_AN_HOUR, MAX_THREADS_A_DAY), "guru_person": target.guru_person_id,
        "mail_check": mail_check, "new_thread": new_id(), "id": new_id(), "body": payload.body, "digest": digest,
    }  # fmt: skip
    decision: DeliveryPlan | Resent | DeliveryRefusal | None = None
    thread_id, other_id = target.thread_id, target.person_id

    def decide(rows: Sequence[Columns]) -> Statement | None:
        nonlocal decision, thread_id, other_id
        ((answer,),) = rows
        if answer is None or (target.thread_id is not None and answer["thread"] is None):
            return None
        other_id = UUID(answer["other_id"])
        guru_id = target.guru_id
        if answer["thread"] is not None:
            thread_id = UUID(answer["thread"]["id"])
            guru_id = UUID(answer["thread"]["guru_id"]) if answer["thread"]["guru_id"] else None
        decision = decide_delivery(command, to_facts(answer))
        if not isinstance(decision, DeliveryPlan):
            return None
        written = {
            "other": other_id, "guru": guru_id, "request": decision.is_request, "hold_until": decision.hold_until,
            "mail_at": decision.mail_at,
        }  # fmt: skip
        return _DELIVER, values | written

    rows = await db.decide(None, None, (_FACTS, values), decide, user_id=user_id)
    if isinstance(decision, DeliveryRefusal):
        raise error_of(decision)
    if decision is None or (thread_id is None and isinstance(decision, Resent)):
        raise NotFound
    if isinstance(decision, Resent):
        assert thread_id is not None  # noqa: S101 - a message that was sent before has a thread
        return SentMessage(thread_id, decision.number, ())
    ((thread_id, number, change, unread, other_change, other_unread),) = rows
    assert other_id is not None  # noqa: S101 - the facts name the other person
    return SentMessage(thread_id, number, (Wake(user_id, change, unread), Wake(other_id, other_change, other_unread)))


async def remove_message(db: Database, user_id: UUID, thread_id: UUID, number: int) -> tuple[Wake, ...]:
    """Remove a message of the user. Return whose clients have to learn of it: no one, if it was removed before."""
    facts: dict[str, Any] = {
        "thread": thread_id, "other": None, "guru": None, "key": None, "files": [], "messages_since": None,
        "threads_since": None, "most": 0,
    }  # fmt: skip
    removal: Statement = (_REMOVE, {"thread": thread_id, "number": number})
    rows = await db.decide(None, None, (_FACTS, facts), lambda _: removal, user_id=user_id)
    wakes: list[Wake] = []
    for other_id, change, unread, other_change, other_unread in rows:
        wakes.append(Wake(user_id, change, unread))
        if other_change is not None:
            wakes.append(Wake(other_id, other_change, other_unread))
    return tuple(wakes)


def to_facts(answer: dict[str, Any]) -> DeliveryFacts:
    """Return the facts of a delivery from the database's answer."""
    earlier = answer["earlier"]
    return DeliveryFacts(
        now=datetime.fromisoformat(answer["now"]),
        has_thread=answer["thread"] is not None,
        is_request=answer["is_request"],
        is_muted=answer["is_muted"],
        is_held=answer["is_held"],
        unread=answer["unread"],
        mailed_at=datetime.fromisoformat(answer["mailed_at"]) if answer["mailed_at"] else None,
        is_active=answer["other_status"] == "active",
        blocks=answer["blocks"],
        is_blocked=answer["is_blocked"],
        earlier_number=earlier["number"] if earlier else None,
        earlier_digest=bytes.fromhex(earlier["digest"]) if earlier else b"",
        messages=answer["messages"],
        threads=answer["threads"],
        files=answer["files"],
    )


def _file_ids(payload: MessagePayload) -> list[UUID]:
    """Return the ids of a message's files, each once. Raises TooManyFiles, ValidationFailed."""
    if len(payload.file_ids) > MAX_FILES:
        raise TooManyFiles(fields={"fileIds": f"A message can have up to {MAX_FILES} files."})
    ids = [parse_id(text) for text in payload.file_ids]
    found = list(dict.fromkeys(one for one in ids if one is not None))
    if len(found) != len(payload.file_ids):
        raise ValidationFailed(fields={"fileIds": "A file has expired. Please add it again."})
    return found
