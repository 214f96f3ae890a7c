"""Email about new results of a saved search."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from porchlight.emails.kinds import MailKind, OptOut
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage

TEMPLATES = EmailTemplates(
    "porchlight.features.search",
    {"search_alert": MailKind.SEARCH_ALERTS},
)


def search_alert_email(
    key: str,
    to: Recipient,
    name: str,
    query: str,
    results: Sequence[tuple[str, str]],
    opt_out: OptOut,
    main_origin: str,
) -> EmailMessage:
    """Return the email for a person. `results` holds titles, each with the name of its provider or ""."""
    return TEMPLATES.create_message(
        "search_alert",
        key=key,
        to=to,
        name=name,
        why="You're receiving this because you saved this search.",
        action=Action("View the results", f"{main_origin}/search?{urlencode({'q': query})}"),
        opt_out=opt_out,
        words={"query": query, "results": list(results)},
    )
