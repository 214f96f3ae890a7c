"""Markdown to safe HTML: rendered by markdown-it and sanitized by nh3 (ammonia) once, when a text is saved."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from typing import Any
from uuid import UUID

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.gfm_autolink import gfm_autolink_plugin

from sites.image_paths import IMAGE_PATH
from sites.posts.html_rules import (
    ALLOWED_ATTRIBUTES,
    ALLOWED_TAGS,
    URL_SCHEMES,
    escape_unknown_tags,
    filter_attribute,
    picture_address,
)
from sites.posts.quotes import bounded_quotes

WORDS_PER_MINUTE = 200  # SPEC 9
MAX_EXCERPT_LENGTH = 150  # characters (SPEC 9)

# The blocks that an excerpt leaves out: it reads as sentences.
_NO_SENTENCES = {
    "heading_open": "heading_close",
    "table_open": "table_close",
    "footnote_block_open": "footnote_block_close",
}
_NO_SENTENCES_ALONE = {"fence", "code_block", "hr"}
# Text symbols: pages have no form controls.
_CHECKED, _UNCHECKED = "\N{BALLOT BOX WITH CHECK} ", "\N{BALLOT BOX} "
_BLOCK_EDGE = re.compile(r"(?=</?(?:p|div|section|li|dt|dd|td|th|tr|h[2-6]|br|blockquote|figure|figcaption)\b)")


@dataclass(frozen=True, slots=True)
class RenderedText:
    """A text prepared for readers: sanitized HTML, an excerpt (never missing), the number of words and the cover.

    The cover is the first picture that the guru uploaded: its id and text alternative.
    """

    html: str
    excerpt: str
    word_count: int
    cover: tuple[UUID, str] | None


@cache
def _parser() -> MarkdownIt:
    """Return a parser for what people write.

    A typed line break is shown as one. Only straight quotes are replaced by other characters.
    """
    parser = MarkdownIt(
        "commonmark", {"html": True, "breaks": True, "linkify": False, "typographer": True, "tasklists": True}
    )
    parser.enable(["table", "strikethrough", "smartquotes"])
    parser.use(bounded_quotes)
    parser.use(anchors_plugin, min_level=2, max_level=3)
    parser.use(footnote_plugin, inline=False)
    return parser.use(gfm_autolink_plugin)


def parse(markdown: str, env: dict[str, Any]) -> list[Token]:
    """Return the tokens of a text, with HTML and task lists as pages can show them. `env` receives the references."""
    tokens = _parser().parse(markdown, env)
    box = ""
    for token in tokens:
        if token.type == "list_item_open" and "checked" in token.meta:
            box = _CHECKED if token.meta.pop("checked") else _UNCHECKED
        elif token.type == "inline":
            token.children = [Token("text", "", 0, content=box), *map(_adapt, token.children or ())]
            box = ""
        else:
            _adapt(token)
    return tokens


def _adapt(token: Token) -> Token:
    """Change a token to what pages can show."""
    if token.type in ("heading_open", "heading_close") and token.tag == "h1":
        token.tag = "h2"
    elif token.type in ("html_block", "html_inline"):
        token.content = escape_unknown_tags(token.content)
        if token.type == "html_block" and token.content.startswith("&lt;"):
            token.content = f"<p>{token.content}</p>\n"
    elif token.type in ("th_open", "td_open"):
        _set_alignment(token)
    elif token.type == "image":
        token.attrSet("loading", "lazy")
        token.attrSet("decoding", "async")
    return token


def _set_alignment(cell: Token) -> None:
    """Replace the style of an aligned column, which the Content-Security-Policy of pages forbids."""
    style = str(cell.attrs.pop("style", ""))
    if style:
        cell.attrSet("align", style.removeprefix("text-align:"))


def to_html(tokens: list[Token], env: dict[str, Any]) -> str:
    """Return the HTML of tokens, which is not safe yet."""
    return str(_parser().renderer.render(tokens, _parser().options, env))


def render(markdown: str) -> str:
    """Return a text as safe HTML, as `render_text` does."""
    return _render(markdown)[0]


def render_text(markdown: str, excerpt: str = "") -> RenderedText:
    """Return all that a page and its lists show of a text, which is parsed once.

    `excerpt`: a typed one, which is kept.
    """
    rendered, tokens, env = _render(markdown)
    plain = _text_of(rendered)
    finder = _FirstUpload()
    finder.feed(rendered)
    return RenderedText(rendered, excerpt or _excerpt(tokens, env, plain), len(plain.split()), finder.found)


def _render(markdown: str) -> tuple[str, list[Token], dict[str, Any]]:
    """Return HTML without scripts, and with https images only, and what it was made of.

    CommonMark with tables, strikethrough, bare addresses, footnotes and task lists. A first-level heading becomes a
    second-level one: the page has a first-level heading of its own.
    """
    env: dict[str, Any] = {}
    tokens = parse(markdown, env)
    for token in tokens:
        token.children = [_shown(child) for child in token.children] if token.children else token.children
    rendered = nh3.clean(
        to_html(tokens, env),
        tags=ALLOWED_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        attribute_filter=filter_attribute,
        url_schemes=URL_SCHEMES,
        link_rel="nofollow ugc noopener",
    )
    return rendered, tokens, env


def with_absolute_addresses(rendered: str, base: str) -> str:
    """Return rendered HTML whose links and pictures work on other hosts. `base` is the address of its page."""
    return nh3.clean(
        rendered,
        tags=ALLOWED_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        url_schemes=URL_SCHEMES,
        url_relative=("rewrite_with_base", base),
        link_rel="nofollow ugc noopener",
    )


def _shown(token: Token) -> Token:
    """Return the description of a picture that no page can load, and any other token unchanged."""
    if token.type == "image" and picture_address(str(token.attrGet("src"))) is None:
        return Token("text", "", 0, content=token.content)
    return token


def plain_text(markdown: str) -> str:
    """Return a Markdown text as plain text in one line."""
    return _text_of(render(markdown))


def _text_of(rendered: str) -> str:
    text = html.unescape(nh3.clean(_BLOCK_EDGE.sub(" ", rendered), tags=set()))
    return " ".join(text.split())


def word_count(markdown: str) -> int:
    """Return the number of words of a Markdown text."""
    return render_text(markdown).word_count


def excerpt(markdown: str) -> str:
    """Return the first 150 characters of the content (SPEC 5), for a post without an excerpt.

    Headings, tables, notes and code are left out, unless there is nothing else.
    """
    return render_text(markdown).excerpt


def _excerpt(tokens: list[Token], env: dict[str, Any], plain: str) -> str:
    return (_text_of(to_html(_sentences(tokens), env)) or plain)[:MAX_EXCERPT_LENGTH].strip()


def _sentences(tokens: list[Token]) -> list[Token]:
    kept = []
    end = ""
    for token in tokens:
        if end:
            end = "" if token.type == end else end
        elif token.type in _NO_SENTENCES:
            end = _NO_SENTENCES[token.type]
        elif token.type not in _NO_SENTENCES_ALONE:
            token.children = [child for child in token.children or () if child.type != "footnote_ref"]
            kept.append(token)
    return kept


class _FirstUpload(HTMLParser):
    """Finds the first picture that the guru uploaded."""

    found: tuple[UUID, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "img" and not self.found and (path := IMAGE_PATH.fullmatch(values.get("src") or "")) is not None:
            self.found = UUID(path["id"]), " ".join((values.get("alt") or "").split())


def first_upload(markdown: str) -> tuple[UUID, str] | None:
    """Return the id and the text alternative of the first picture that the guru uploaded, or None."""
    return render_text(markdown).cover


def read_time(words: int) -> str:
    """Return the word count divided by 200, rounded up (SPEC 5); "3 min read" for an empty text."""
    return f"{-(-words // WORDS_PER_MINUTE)} min read" if words > 0 else "3 min read"
