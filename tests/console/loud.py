"""Finds whatever in a guru's page would run, or load something of somebody else's."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _Loud(HTMLParser):
    """Finds whatever in a page would run or load something of somebody else's."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "iframe", "object", "embed", "base", "meta", "style"):
            self.found.append(tag)
        for name, value in attributes:
            loads = name in ("href", "src") and not re.match(r"https?://|/|#|mailto:|tel:", value or "")
            if name.startswith("on") or loads:
                self.found.append(f"{tag} {name}={value}")


def loud(page: str) -> list[str]:
    """What is wrong with the body of a page."""
    reader = _Loud()
    reader.feed(page.split('<div id="__next">')[1].split('<script id="__NEXT_DATA__"')[0])
    return reader.found
