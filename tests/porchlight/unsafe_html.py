"""Finds elements of a guru's page that run code or load files of other sites."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _UnsafeHtmlFinder(HTMLParser):
    """Collects elements that run code or load files of other sites."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "iframe", "object", "embed", "base", "meta", "style"):
            self.findings.append(tag)
        for name, value in attributes:
            loads = name in ("href", "src") and not re.match(r"https?://|/|#|mailto:|tel:", value or "")
            if name.startswith("on") or loads:
                self.findings.append(f"{tag} {name}={value}")


def find_unsafe_html(page: str) -> list[str]:
    """Return the unsafe elements in the body of a page."""
    reader = _UnsafeHtmlFinder()
    reader.feed(page.split('<div id="__next">')[1].split('<script id="__NEXT_DATA__"')[0])
    return reader.findings
