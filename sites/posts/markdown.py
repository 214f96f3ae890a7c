"""Markdown to safe HTML: rendered by markdown-it, cleaned by nh3 (ammonia), once, when a text is written."""

from __future__ import annotations

import re
from functools import cache

import nh3
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

WORDS_A_MINUTE = 200  # SPEC 9
EXCERPT_LENGTH = 150  # characters, SPEC 9

TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "dl", "dt", "em", "figcaption", "figure", "h2", "h3",
    "h4", "hr", "i", "img", "kbd", "li", "mark", "ol", "p", "pre", "s", "strong", "sub", "sup", "table", "tbody", "td",
    "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height", "loading", "decoding"},
    "h2": {"id"},
    "h3": {"id"},
    "h4": {"id"},
    "ol": {"start"},
    "code": {"class"},
}


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": True})
    parser.enable(["table", "strikethrough", "replacements", "smartquotes"])
    return parser.use(anchors_plugin, min_level=2, max_level=3)


def _attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "code" and name == "class":
        return value if re.fullmatch(r"language-[a-z0-9+-]{1,20}", value) else None
    if tag == "img" and name == "src":
        return value if value.startswith(("https://", "/")) and not value.startswith("//") else None
    return value


def render(markdown: str) -> str:
    """CommonMark (with tables and strikethrough) as HTML that runs nothing and loads nothing but https images.

    A first-level heading becomes a second-level one: the page has its own.
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
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"https", "http", "mailto", "tel"},
        link_rel="nofollow ugc noopener",
    )


def plain(markdown: str) -> str:
    """The words of a Markdown text, without its marks, in one line."""
    text = nh3.clean(render(markdown), tags=set())
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", " "), ("&amp;", "&")):
        text = text.replace(entity, character)
    return " ".join(text.split())


def word_count(markdown: str) -> int:
    """How many words a reader meets."""
    return len(plain(markdown).split())


def excerpt(markdown: str) -> str:
    """The first 150 characters of the content (SPEC 5), for a post without an excerpt of its own."""
    return plain(markdown)[:EXCERPT_LENGTH].strip()


def read_time(words: int) -> str:
    """SPEC 5: the word count divided by 200, rounded up; "3 min read" when there is nothing to count."""
    return f"{-(-words // WORDS_A_MINUTE)} min read" if words > 0 else "3 min read"
