"""The kinds of email: what a person can turn off, and what is always sent.

Every template declares its kind (`EmailTemplates`). An email that the recipient did not cause just now, and that no
agreement between them and others needs, is of a kind with a choice: it has links that end these emails (RFC 8058).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from tenants.db.rows import Connection


class MailKind(StrEnum):
    """The subject of an email. The values of kinds with a choice are stored in `email_settings`."""

    # Always sent.
    ACCOUNT = "account"  # answers what the recipient did with their account, or keeps the account or plan from ending
    AGREEMENT = "agreement"  # a session, request, offer or question between the recipient and one other person
    STAFF = "staff"  # to the operator's own address
    # To the address that someone typed into a site's contact form. "This wasn't me" ends them, for one site.
    VISITOR = "visitor"
    # With a choice.
    SEARCH_ALERTS = "search_alerts"
    NEEDS = "needs"
    EXPIRED_NEEDS = "expired_needs"
    SWAP_RINGS = "swap_rings"
    REMINDERS = "reminders"
    DOCUMENTS = "documents"
    AGENDA = "agenda"
    LEADS = "leads"


@dataclass(frozen=True, slots=True)
class Choice:
    """How the page of email settings shows a kind. `guru_only`: only people with a site get it."""

    title: str
    description: str
    guru_only: bool = False


CHOICES: Mapping[MailKind, Choice] = {
    MailKind.REMINDERS: Choice(
        "Session reminders", "The day before a session, right before it, and when a waiver is due."
    ),
    MailKind.SEARCH_ALERTS: Choice("Search alerts", "New results for the searches you saved."),
    MailKind.NEEDS: Choice("Requests near you", "Neighbors who need help that you offer on Angel's List."),
    MailKind.EXPIRED_NEEDS: Choice("Your expired requests", "When your request on Angel's List ends without a helper."),
    MailKind.SWAP_RINGS: Choice("Swap rings", "Three-way swaps that fit what you teach and want to learn."),
    MailKind.DOCUMENTS: Choice(
        "Document reminders", "Before a license or insurance of yours expires, and when it has."
    ),
    MailKind.AGENDA: Choice(
        "Tomorrow's sessions", "Every evening, a list of the sessions you teach the next day.", True
    ),
    MailKind.LEADS: Choice("Messages from your site", "New messages are in your inbox on Porchlight either way.", True),
}


# The kinds whose emails have a link for mail programs.
OPTIONAL = frozenset({MailKind.VISITOR, *CHOICES})


@dataclass(frozen=True, slots=True)
class OptOut:
    """The links with which the recipient ends emails of a kind: a page, and the URL for mail programs.

    Empty for a site without an account: the operator made it, and no one could choose.
    """

    kind: MailKind
    page_url: str
    one_click_url: str


def find_opt_out(conn: Connection, kind: MailKind, person: UUID | None, main_origin: str) -> OptOut | None:
    """Return the links for an email to a person, or None if they turned this kind off. In a job's transaction.

    Without `person`, the recipient is the owner of the job's guru.
    """
    row = conn.execute("SELECT is_on, token, page_token FROM app.email_opt_out(%s, %s)", [kind, person]).fetchone()
    if row is None:
        return OptOut(kind, "", "")
    is_on, token, page_token = row
    if not is_on:
        return None
    return OptOut(kind, settings_url(main_origin, page_token), one_click_url(main_origin, token))


def settings_url(main_origin: str, token: UUID) -> str:
    """Return the URL of the page with all email settings of a person."""
    return f"{main_origin}/email-settings/{token}"


def one_click_url(main_origin: str, token: UUID) -> str:
    """Return the URL to which mail programs post when the recipient unsubscribes (RFC 8058)."""
    return f"{main_origin}/api/email-settings/{token}/unsubscription"
