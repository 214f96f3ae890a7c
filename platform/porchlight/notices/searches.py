"""The mail about what is new in a search somebody keeps."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from porchlight.notices import layout
from porchlight.notices.mail import Letter


def letter_of_search(
    key: str, email: str, name: str, words: str, found: Sequence[tuple[str, str]], main_origin: str
) -> Letter:
    """The mail. `found`: titles, each with who offers it ("" for nobody's in particular)."""
    subject = f"New for “{words}”"
    lines = "\n".join(f"• {title}{f', by {who}' if who else ''}" for title, who in found)
    paragraphs = [f"Hello {name or 'neighbor'},", f"Something new fits your search “{words}”:", lines]
    link = ("Open the search", f"{main_origin}/search?{urlencode({'q': words})}")
    footer = "You get this because you keep this search. Remove it on the search page and it stops."
    return Letter(
        key=key,
        recipient=email,
        subject=subject,
        plain=layout.plain(paragraphs, link=link, footer=footer),
        html=layout.html(subject, paragraphs, link=link, footer=footer),
    )
