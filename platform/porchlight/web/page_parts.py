"""The parts of a built page that its server reads or replaces, found by an HTML parser."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from itertools import accumulate

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PageParts:
    """Title, and where parts of a page are, as offsets of characters.

    `inline`: name and text of each style and script element without attributes. `no_script_at`: what the body shows
    without scripts.
    """

    title: str
    title_at: Span | None
    description_at: Span | None
    head_ends_at: int | None
    no_script_at: Span | None
    inline: tuple[tuple[str, str], ...]


@lru_cache(maxsize=8)  # the pages of a build that are filled in per request
def page_parts(page: str) -> PageParts:
    """Return the parts of a page."""
    parser = _Parser(page)
    parser.feed(page)
    parser.close()
    return PageParts(
        parser.title,
        parser.title_at,
        parser.description_at,
        parser.head_ends_at,
        parser.no_script_at,
        tuple(parser.inline),
    )


class _Parser(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.title = ""
        self.title_at: Span | None = None
        self.description_at: Span | None = None
        self.head_ends_at: int | None = None
        self.no_script_at: Span | None = None
        self.inline: list[tuple[str, str]] = []
        self._page = page
        self._lines = [0, *accumulate(len(line) + 1 for line in page.split("\n"))]  # as getpos counts them
        self._no_script: int | None = None  # offset of the content
        self._open: tuple[str, int, int] | None = None  # name, offset of the tag, offset of the content

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._offset()
        end = start + len(self.get_starttag_text() or "")
        if tag == "meta" and ("name", "description") in attrs and self.description_at is None:
            self.description_at = (start, end)
        elif tag == "noscript" and self.head_ends_at is not None:
            self._no_script = end
        elif tag == "title" or (tag in ("style", "script") and not attrs):
            self._open = (tag, start, end)

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._open[0] == "title" and self.title_at is None:
            self.title += data

    def handle_endtag(self, tag: str) -> None:
        offset = self._offset()
        if tag == "head" and self.head_ends_at is None:
            self.head_ends_at = offset
        elif tag == "noscript" and self._no_script is not None:
            self.no_script_at = (self._no_script, offset)
        if self._open is None or self._open[0] != tag:
            return
        _, start, content = self._open
        self._open = None
        if tag != "title":
            self.inline.append((tag, self._page[content:offset]))
        elif self.title_at is None:
            self.title_at = (start, self._page.index(">", offset) + 1)
