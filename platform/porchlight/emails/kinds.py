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
    AGREEMENT = "agreement"  # a session, request or offer between the recipient and one other person
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
    CALENDARS = "calendars"
    LEADS = "leads"
    MESSAGES = "messages"
    REVIEWS = "reviews"
    DIGEST = "digest"  # one email with what the person has collected; it is about notifications, so it is none itself


@dataclass(frozen=True, slots=True)
class Choice:
    """How the settings show a kind. To add a kind of notification, add its line here: everything else follows.

    `guru_only`: only people with a site get it. `can_wait`: quiet hours and the daily digest may hold it back.
    `pushes`: whether devices show it until the person decides; None, if it is an email only.
    """

    title: str
    description: str
    guru_only: bool = False
    can_wait: bool = True
    pushes: bool | None = True


# Their emails are always sent at once: they answer what the person did, or carry the calendar file of a session.
ALWAYS: Mapping[MailKind, Choice] = {
    MailKind.AGREEMENT: Choice(
        "Sessions, requests and offers", "What you book, ask for and offer, and questions from neighbors."
    ),
    MailKind.ACCOUNT: Choice("Your account", "Your documents, your plan and your receipts.", can_wait=False),
}
CHOICES: Mapping[MailKind, Choice] = {
    MailKind.MESSAGES: Choice("Messages", "What neighbors and gurus wrote to you, while you haven't read it."),
    MailKind.REMINDERS: Choice(
        "Session reminders", "The day before a session, right before it, and when a waiver is due.", can_wait=False
    ),
    MailKind.REVIEWS: Choice("Reviews", "When you can review a session, and when a review of you waits or is out."),
    MailKind.SEARCH_ALERTS: Choice("Search alerts", "New results for the searches you saved.", pushes=False),
    MailKind.NEEDS: Choice("Requests near you", "Neighbors who need help that you offer on Angel's List."),
    MailKind.EXPIRED_NEEDS: Choice("Your expired requests", "When your request on Angel's List ends without a helper."),
    MailKind.SWAP_RINGS: Choice("Swap rings", "Three-way swaps that fit what you teach and want to learn."),
    MailKind.DOCUMENTS: Choice(
        "Document reminders", "Before a license or insurance of yours expires, and when it has."
    ),
    MailKind.AGENDA: Choice(
        "Tomorrow's sessions", "Every evening, a list of the sessions you teach the next day.", True, can_wait=False
    ),
    MailKind.CALENDARS: Choice(
        "Connected calendars", "When we can't read a calendar that you connected to your hours.", True
    ),
    MailKind.LEADS: Choice("Messages from your site", "New messages are in your inbox on Porchlight either way.", True),
    MailKind.DIGEST: Choice(
        "Your digest", "One email with what you collect for once a day or what came in quiet hours.", can_wait=False,
        pushes=None,
    ),
}  # fmt: skip
# Everything that a notification can be about.
TOPICS: Mapping[MailKind, Choice] = {
    **ALWAYS, **{kind: choice for kind, choice in CHOICES.items() if choice.pushes is not None}
}  # fmt: skip


# The kinds whose emails have a link for mail programs.
OPTIONAL = frozenset({MailKind.VISITOR, *CHOICES})


@dataclass(frozen=True, slots=True)
class OptOut:
    """The links with which the recipient ends emails of a kind: a page, and the URL for mail programs.

    Emails of a kind that is off are created all the same: NotifyingMailer keeps what they say as a notification.

    Empty for a site without an account: the operator made it, and no one could choose.
    """

    kind: MailKind
    page_url: str
    one_click_url: str


def find_opt_out(conn: Connection, kind: MailKind, person: UUID | None, main_origin: str) -> OptOut:
    """Return the links for an email to a person. In a job's transaction.

    Without `person`, the recipient is the owner of the job's guru.
    """
    row = conn.execute("SELECT token, page_token FROM app.email_opt_out(%s, %s)", [kind, person]).fetchone()
    if row is None:
        return OptOut(kind, "", "")
    token, page_token = row
    return OptOut(kind, settings_url(main_origin, page_token), one_click_url(main_origin, token))


def settings_url(main_origin: str, token: UUID) -> str:
    """Return the URL of the page with all email settings of a person."""
    return f"{main_origin}/email-settings/{token}"


def one_click_url(main_origin: str, token: UUID) -> str:
    """Return the URL to which mail programs post when the recipient unsubscribes (RFC 8058)."""
    return f"{main_origin}/api/email-settings/{token}/unsubscription"
