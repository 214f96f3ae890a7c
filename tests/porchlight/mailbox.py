"""Emails about leads in the mailbox, and the link in them."""

from __future__ import annotations

import re
from typing import Any

import psycopg


def emails_to(conn: psycopg.Connection[Any], recipient: str) -> list[dict[str, Any]]:
    """Return the emails to an address, the oldest first."""
    rows = conn.execute(
        "SELECT subject, plain, html, reply_to, key FROM dev_mailbox WHERE recipient = %s ORDER BY sent_at, id",
        [recipient],
    ).fetchall()
    return [dict(zip(("subject", "plain", "html", "reply_to", "key"), row, strict=True)) for row in rows]


def extract_token(plain: str) -> str:
    """Return the token of the address that the links of an email have."""
    (token,) = set(re.findall(r"/mail/(\w+)", plain))
    return str(token)
