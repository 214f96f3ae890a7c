"""Typographic quotes, within a bound: markdown-it compares each quotation mark of a paragraph with those before it."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore, smartquotes

# A page of conversation has a hundred. This many take about 50 ms, twice as many four times as long.
MAX_QUOTES = 2_000


def bounded_quotes(parser: MarkdownIt) -> None:
    """Leave the quotation marks of a text with more than MAX_QUOTES as they were typed."""

    def rule(state: StateCore) -> None:
        if state.src.count('"') + state.src.count("'") <= MAX_QUOTES:
            smartquotes(state)

    parser.core.ruler.at("smartquotes", rule)
