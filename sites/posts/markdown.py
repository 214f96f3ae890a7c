"""Markdown to safe HTML: rendered by markdown-it and sanitized by nh3 (ammonia) once, when a text is saved."""

from __future__ import annotations

import re
from functools import cache
from uuid import UUID

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

from sites.image_paths import IMAGE_PATH
from sites.posts.quotes import bounded_quotes

WORDS_PER_MINUTE = 200  # SPEC 9
MAX_EXCERPT_LENGTH = 150  # characters (SPEC 9)

ALLOWED_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "dl", "dt", "em", "figcaption", "figure", "h2", "h3",
    "h4", "hr", "i", "img", "kbd", "li", "mark", "ol", "p", "pre", "s", "strong", "sub", "sup", "table", "tbody", "td",
    "th", "thead", "tr", "ul",
}  # fmt: skip
ALLOWED_ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height", "loading", "decoding"},
    "h2": {"id"},
    "h3": {"id"},
    "h4": {"id"},
    "ol": {"start"},
    "code": {"class"},
}

# The blocks that an excerpt leaves out: it reads as sentences.
_NO_SENTENCES = {"heading_open": "heading_close", "table_open": "table_close"}
_NO_SENTENCES_ALONE = {"fence", "code_block", "hr"}


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": True})
    parser.enable(["table", "strikethrough", "replacements", "smartquotes"])
    parser.use(bounded_quotes)
    return parser.use(anchors_plugin, min_level=2, max_level=3)


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "code" and name == "class":
        return value if re.fullmatch(r"language-[a-z0-9+-]{1,20}", value) else None
    if tag == "img" and name == "src":
        return value if value.startswith(("https://", "/")) and not value.startswith("//") else None
    return value


def render(markdown: str) -> str:
    """Render CommonMark (with tables and strikethrough) to HTML without scripts, and with https images only.

    A first-level heading becomes a second-level one: the page has a first-level heading of its own.
    """
    tokens = _parser().parse(markdown)
    for token in tokens:
        if token.type in ("heading_open", "heading_close") and token.tag == "h1":
            token.tag = "h2"
        for child in token.children or ():
            if child.type == "image":
                child.attrSet("loading", "lazy")
                child.attrSet("decoding", "async")
    html = _parser().renderer.render(tokens, _parser().options, {})
    return nh3.clean(
        html,
        tags=ALLOWED_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        attribute_filter=_filter_attribute,
        url_schemes={"https", "http", "mailto", "tel"},
        link_rel="nofollow ugc noopener",
    )


def plain_text(markdown: str) -> str:
    """Return a Markdown text as plain text in one line."""
    return _text_of(render(markdown))


def _text_of(html: str) -> str:
    text = nh3.clean(html, tags=set())
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", " "), ("&amp;", "&")):
        text = text.replace(entity, character)
    return " ".join(text.split())


def word_count(markdown: str) -> int:
    """Return the number of words of a Markdown text."""
    return len(plain_text(markdown).split())


def excerpt(markdown: str) -> str:
    """Return the first 150 characters of the content (SPEC 5), for a post without an excerpt.

    Headings, tables and code are left out, unless there is nothing else.
    """
    sentences = _parser().renderer.render(_sentences(_parser().parse(markdown)), _parser().options, {})
    return (_text_of(sentences) or plain_text(markdown))[:MAX_EXCERPT_LENGTH].strip()


def _sentences(tokens: list[Token]) -> list[Token]:
    kept = []
    end = ""
    for token in tokens:
        if end:
            end = "" if token.type == end else end
        elif token.type in _NO_SENTENCES:
            end = _NO_SENTENCES[token.type]
        elif token.type not in _NO_SENTENCES_ALONE:
            kept.append(token)
    return kept


def first_upload(markdown: str) -> tuple[UUID, str] | None:
    """Return the id and the text alternative of the first picture that the guru uploaded, or None."""
    renderer, options = _parser().renderer, _parser().options
    for token in _parser().parse(markdown):
        for child in token.children or ():
            if child.type == "image" and (path := IMAGE_PATH.fullmatch(str(child.attrGet("src")))) is not None:
                return UUID(path["id"]), _text_of(renderer.render(child.children or [], options, {}))
    return None


def read_time(words: int) -> str:
    """Return the word count divided by 200, rounded up (SPEC 5); "3 min read" for an empty text."""
    return f"{-(-words // WORDS_PER_MINUTE)} min read" if words > 0 else "3 min read"
