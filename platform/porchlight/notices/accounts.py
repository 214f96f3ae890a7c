"""The first and the last mail of an account."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.notices import layout
from porchlight.notices.mail import Letter

_NEWCOMER = """
SELECT u.email, coalesce(nullif(p.first_name, ''), p.display_name)
  FROM users u JOIN profiles p ON p.user_id = u.user_id WHERE u.user_id = %s AND u.status = 'active'"""
_LEAVER = "SELECT recipient, name FROM farewells WHERE id = %s"

WELCOME = "Welcome to Porchlight"
FAREWELL = "Your Porchlight account is deleted"


def letter_of_welcome(conn: psycopg.Connection[tuple[object, ...]], user_id: UUID, main_origin: str) -> Letter | None:
    """The mail to a newcomer, or None when the account is gone or has no address."""
    row = conn.execute(_NEWCOMER, [user_id]).fetchone()
    if row is None or not row[0]:
        return None
    name = str(row[1])
    paragraphs = [
        f"Hello {name}," if name else "Hello,",
        "Good to have you in the neighborhood. Three things are worth doing first:",
        "1. Say a few words about yourself, and what you could show a neighbor.\n"
        "2. Look through SkillShare for something you always wanted to learn.\n"
        "3. Visit Angel's List when something needs doing around the house.",
        "What others see of you is up to you: you choose it on your profile.",
    ]
    link = ("Finish your profile", f"{main_origin}/profile")
    footer = "You get this mail because an account was made with this address. If it was not you, do nothing."
    return Letter(
        key=f"welcome-{user_id}",
        recipient=str(row[0]),
        subject=WELCOME,
        plain=layout.plain(paragraphs, link=link, footer=footer),
        html=layout.html(WELCOME, paragraphs, link=link, footer=footer),
    )


def letter_of_farewell(conn: psycopg.Connection[tuple[object, ...]], farewell_id: UUID) -> Letter | None:
    """The last mail to somebody whose account is erased, or None when it was sent."""
    row = conn.execute(_LEAVER, [farewell_id]).fetchone()
    if row is None:
        return None
    name = str(row[1])
    paragraphs = [
        f"Hello {name}," if name else "Hello,",
        "As you asked, we deleted your account: your profile, photo, skills, sessions and email address.",
        "This is our last mail to you. Thank you for being a neighbor; you are welcome back any time.",
    ]
    footer = "If it was not you who deleted the account, please write to us at once by our contact form."
    return Letter(
        key=f"farewell-{farewell_id}",
        recipient=str(row[0]),
        subject=FAREWELL,
        plain=layout.plain(paragraphs, footer=footer),
        html=layout.html(FAREWELL, paragraphs, footer=footer),
    )


def forget_farewell(conn: psycopg.Connection[tuple[object, ...]], farewell_id: UUID) -> None:
    """Let go of the address: its mail was sent."""
    conn.execute("DELETE FROM farewells WHERE id = %s", [farewell_id])
