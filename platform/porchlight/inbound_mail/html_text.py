"""The plain text of an email that has HTML only, with quotes marked as in plain text."""

from __future__ import annotations

from inscriptis import get_text
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.model.config import ParserConfig
from lxml import html

MAX_HTML_CHARACTERS = 1_000_000
_CONFIG = ParserConfig(css=CSS_PROFILES["strict"], display_links=False, display_images=False)


def plain_text(source: str) -> str:
    """Return the text of an HTML email. Quotes begin with ">"; scripts, styles and hidden parts are left out."""
    try:
        tree = html.document_fromstring(source[:MAX_HTML_CHARACTERS] or "<p></p>")
    except (html.etree.ParserError, ValueError):
        return ""
    return _text(tree)


def _text(tree: html.HtmlElement) -> str:
    for quote in tree.xpath("//blockquote[not(ancestor::blockquote)]"):
        lines = get_text(html.tostring(quote, encoding="unicode", with_tail=False), _CONFIG).strip("\n").split("\n")
        replacement = html.Element("pre")
        replacement.text = "\n" + "\n".join(f"> {line}" for line in lines) + "\n"
        replacement.tail = quote.tail
        quote.getparent().replace(quote, replacement)
    return str(get_text(html.tostring(tree, encoding="unicode"), _CONFIG))
