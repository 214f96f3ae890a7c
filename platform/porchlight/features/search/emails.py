"""Email about new results of a saved search."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from porchlight.emails.templates import EmailTemplates
from porchlight.ports import EmailMessage

_TEMPLATES = EmailTemplates("porchlight.features.search")


def search_alert_email(
    key: str, email: str, name: str, query: str, results: Sequence[tuple[str, str]], main_origin: str
) -> EmailMessage:
    """Return the email. `results` holds titles, each with the name of its provider or ""."""
    return _TEMPLATES.create_message(
        "search_alert",
        key=key,
        recipient=email,
        name=name,
        query=query,
        results=results,
        action_url=f"{main_origin}/search?{urlencode({'q': query})}",
    )
