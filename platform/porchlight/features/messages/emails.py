"""The email about messages that are unread: one for a thread, at most every hour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.messages.queries import UNKNOWN_NAME
from porchlight.inbound_mail.addresses import reply_address
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all, fetch_one

TEMPLATES = EmailTemplates("porchlight.features.messages", {"messages_unread": MailKind.MESSAGES})
MAX_SHOWN = 3  # of the messages
MAX_CHARACTERS = 600  # of each
_THREAD = """
SELECT m.side, m.unread, m.read_number, m.request, t.number, p.shown_name, p.guru_name, u.email, u.email_verified,
       m.reply_token,
       f.display_name AS name
  FROM thread_members m JOIN threads t ON t.person_a_id = least(m.user_id, m.other_id) AND t.id = m.thread_id
  CROSS JOIN LATERAL (SELECT v.* FROM thread_people v WHERE v.thread_id = m.thread_id OFFSET 0) p
  JOIN users u ON u.user_id = m.user_id
  LEFT JOIN profiles f ON f.user_id = m.user_id
 WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s AND m.unread > 0 AND NOT m.muted AND m.held_until IS NULL
   AND u.status = 'active' AND u.email <> '' AND NOT p.is_blocked AND p.takes_messages"""
_UNREAD = """
SELECT g.body, g.files, g.created_at FROM thread_members m
  JOIN messages g ON g.person_a_id = least(m.user_id, m.other_id) AND g.thread_id = m.thread_id
 WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s AND g.number > m.read_number AND g.sender_id <> m.user_id
   AND g.removed_at IS NULL
 ORDER BY g.number DESC LIMIT %(limit)s"""


@dataclass(frozen=True, slots=True)
class _UnreadThread:
    side: str
    unread: int
    read_number: int
    request: bool
    number: int
    shown_name: str | None
    guru_name: str | None
    email: str
    email_verified: bool
    reply_token: UUID
    name: str | None


@dataclass(frozen=True, slots=True)
class _UnreadMessage:
    body: str
    files: list[dict[str, object]]
    created_at: datetime


def messages_unread_email(
    conn: Connection, user_id: UUID, thread_id: UUID, main_origin: str, reply_domain: str
) -> EmailMessage | None:
    """Return the email about a thread for one of its people, or None if there is nothing unread to tell.

    In a transaction of the recipient. What is in a request is shown without links until the recipient accepts it.
    """
    keys = {"user": user_id, "thread": thread_id, "limit": MAX_SHOWN}
    thread = fetch_one(conn, _UnreadThread, _THREAD, keys)
    messages = fetch_all(conn, _UnreadMessage, _UNREAD, keys) if thread is not None else []
    if thread is None or not messages:
        return None
    opt_out = find_opt_out(conn, MailKind.MESSAGES, user_id, main_origin)
    sender = thread.guru_name if thread.side == "person" and thread.guru_name else thread.shown_name or UNKNOWN_NAME
    texts = [_text(message) for message in reversed(messages)]
    can_reply = bool(reply_domain) and thread.email_verified and not thread.request
    folder = "guru/messages" if thread.side == "guru" else "messages"
    return TEMPLATES.create_message(
        "messages_unread",
        key=f"messages-{thread_id}-{user_id}-{thread.number}",
        to=Recipient(thread.email, thread.email_verified, person=user_id),
        name=thread.name or "",
        why="You're receiving this because someone wrote to you on Porchlight. You can mute a conversation there.",
        action=Action("Answer", f"{main_origin}/{folder}/{thread_id}"),
        notice="A neighbor wrote to you on Porchlight",
        words={"sender": sender} | ({"texts": texts} if thread.request else {}),
        verbatim={} if thread.request else {"texts": texts},
        facts={"more": max(0, thread.unread - len(texts)), "is_request": thread.request, "can_reply": can_reply},
        reply_to=reply_address(thread.reply_token, reply_domain) if can_reply else "",
        opt_out=opt_out,
    )


def _text(message: _UnreadMessage) -> str:
    """Return what an email shows of a message."""
    body = message.body if len(message.body) <= MAX_CHARACTERS else message.body[: MAX_CHARACTERS - 1].rstrip() + "…"
    count = len(message.files)
    files = "" if not count else "(1 file)" if count == 1 else f"({count} files)"
    return "\n".join(part for part in (body, files) if part)
