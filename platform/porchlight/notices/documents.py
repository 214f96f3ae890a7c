"""The mails about somebody's documents: approved, rejected, soon to end, ended."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

import psycopg

from porchlight.notices import layout
from porchlight.notices.mail import Letter

Connection = psycopg.Connection[Any]

DOCUMENTS_PATH = "/onboarding/documents"
NAMES = {
    "license": "license",
    "insurance": "liability insurance",
    "auto": "auto insurance",
    "cert": "certificate",
    "id": "ID",
}
_FOOTER = "You get this mail because you sent documents to Porchlight."
_DOCUMENT = """
SELECT u.email, d.type, coalesce(c.name, ''), d.status, d.reason, d.expires_on
  FROM documents d JOIN users u ON u.user_id = d.user_id LEFT JOIN skill_categories c ON c.slug = d.category
 WHERE d.user_id = %s AND d.id = %s AND u.status = 'active' AND u.email <> ''"""


class _Paper:
    """A document as mails speak of it."""

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.recipient, kind, category, self.status, self.reason, self.expires_on = row
        self.name = NAMES[kind] + (f" for {category}" if category else "")


def _paper(conn: Connection, user_id: UUID, document_id: UUID) -> _Paper | None:
    row = conn.execute(_DOCUMENT, [user_id, document_id]).fetchone()
    return None if row is None else _Paper(row)


def _letter(key: str, paper: _Paper, title: str, paragraphs: list[str], button: str, origin: str) -> Letter:
    link = (button, origin + DOCUMENTS_PATH)
    return Letter(
        key=key,
        recipient=paper.recipient,
        subject=title,
        plain=layout.plain(paragraphs, link=link, footer=_FOOTER),
        html=layout.html(title, paragraphs, link=link, footer=_FOOTER),
    )


def letter_about_review(conn: Connection, user_id: UUID, document_id: UUID, origin: str) -> Letter | None:
    """The mail about a review, or None when the document or its owner is gone."""
    paper = _paper(conn, user_id, document_id)
    if paper is None or paper.status == "pending":
        return None
    if paper.status == "rejected":
        words = [f"We looked at your {paper.name} and cannot accept it as it is."]
        if paper.reason:
            words.append(f"Reason: {paper.reason}")
        words.append("You can upload a better one at any time; we look at it again.")
        title = f"Please upload your {paper.name} again"
        return _letter(f"document-{document_id}-rejected", paper, title, words, "Upload it again", origin)
    words = [f"Your {paper.name} was approved."]
    if paper.expires_on:
        words.append(f"It counts until {_day(paper.expires_on)}. We remind you before it ends.")
    title = f"Your {paper.name} was approved"
    return _letter(f"document-{document_id}-approved", paper, title, words, "My documents", origin)


def letter_of_reminder(conn: Connection, user_id: UUID, document_id: UUID, days: int, origin: str) -> Letter | None:
    """The mail that a document ends soon, or None when it does not count any more."""
    paper = _paper(conn, user_id, document_id)
    if paper is None or paper.status != "approved" or paper.expires_on is None:
        return None
    title = f"Your {paper.name} ends on {_day(paper.expires_on)}"
    words = [
        f"Your {paper.name} counts until {_day(paper.expires_on)}.",
        "Upload the next one before that day: a category that needs it is taken off your site when it ends.",
    ]
    return _letter(f"document-{document_id}-ends-{days}", paper, title, words, "Upload the next one", origin)


def letter_of_lapse(conn: Connection, user_id: UUID, document_id: UUID, origin: str) -> Letter | None:
    """The mail that a document has ended."""
    paper = _paper(conn, user_id, document_id)
    if paper is None or paper.status != "lapsed" or paper.expires_on is None:
        return None
    title = f"Your {paper.name} has ended"
    words = [
        f"Your {paper.name} counted until {_day(paper.expires_on)}.",
        "A category that needs it is not listed on your site until a new one is approved.",
    ]
    return _letter(f"document-{document_id}-ended", paper, title, words, "Upload a new one", origin)


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
