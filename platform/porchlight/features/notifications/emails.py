"""The email of the digest, with all its notifications by kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import TOPICS, MailKind, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_value

MAX_ITEMS = 100  # in one digest; the page has the others
TEMPLATES = EmailTemplates("porchlight.features.notifications", {"digest": MailKind.DIGEST})

_ITEMS = """
SELECT kind, title, url FROM notifications WHERE user_id = %s AND digest_id = %s ORDER BY kind, id LIMIT %s"""
_COUNT = "SELECT count(*) FROM notifications WHERE user_id = %s AND digest_id = %s"
_ADDRESS = """
SELECT u.email, u.email_verified, coalesce(nullif(p.first_name, ''), p.display_name, '') AS name,
       coalesce(s.is_on, true) AS is_on
  FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
  LEFT JOIN email_settings s ON s.user_id = u.user_id AND s.kind = 'digest'
 WHERE u.user_id = %s AND u.status = 'active' AND u.email <> ''"""


class DigestItem(NamedTuple):
    """A line of a digest."""

    kind: str
    title: str
    url: str


class _Address(NamedTuple):
    email: str
    email_verified: bool
    name: str
    is_on: bool


def digest_email(conn: Connection, user_id: UUID, digest_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return a digest, or None if it is empty, or the account has no address or wants none any more."""
    address = fetch_one(conn, _Address, _ADDRESS, [user_id])
    items = fetch_all(conn, DigestItem, _ITEMS, [user_id, digest_id, MAX_ITEMS])
    if address is None or not address.is_on or not items:
        return None
    count = fetch_value(conn, int, _COUNT, [user_id, digest_id]) or 0
    groups = grouped(items, main_origin)
    return TEMPLATES.create_message(
        "digest",
        key=f"digest-{digest_id}",
        to=Recipient(address.email, address.email_verified, person=user_id),
        name=address.name,
        why="You're receiving this because you chose to get some emails together.",
        action=Action("See all notifications", f"{main_origin}/notifications"),
        notice=f"You have {count} new notification{'s' if count > 1 else ''}",
        opt_out=find_opt_out(conn, MailKind.DIGEST, user_id, main_origin),
        words={"groups": [(title, [line for line, _ in lines]) for title, lines in groups]},
        facts={
            "count": count,
            "more": max(0, count - len(items)),
            "urls": [[url for _, url in lines] for _, lines in groups],
        },
    )


def grouped(items: Sequence[DigestItem], main_origin: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return titles of kinds, each with its lines and their URLs, in the order in which the settings list the kinds."""
    order = list(TOPICS)
    known = sorted((item for item in items if item.kind in order), key=lambda item: order.index(MailKind(item.kind)))
    return [
        (TOPICS[MailKind(kind)].title, [(one.title, _absolute(one.url, main_origin)) for one in lines])
        for kind, lines in groupby(known, key=lambda item: item.kind)
    ]


def _absolute(url: str, main_origin: str) -> str:
    return main_origin + url if url.startswith("/") else url
