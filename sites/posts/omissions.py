"""Find what a text has that its page does not show, so that the editor can say it before readers miss it."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

from sites.posts.html_rules import ALLOWED_TAGS, LEFT_OUT_TAGS, URL_SCHEMES, link_address, picture_address
from sites.posts.markdown import parse, to_html

MAX_OMISSIONS = 8
_MAX_NAME_LENGTH = 60
_LABEL = re.compile(r"\[([^\[\]]+)\]")
_DESIGN_ATTRIBUTES = {"style", "align", "bgcolor", "color", "face", "valign"}
_MEDIA = {"iframe", "embed", "object", "video", "audio", "applet", "frame"}
_FORMS = {"form", "input", "button", "select", "textarea", "option"}
# Tags that only wrap words, which are shown without them.
_SILENT = {"body", "html", "head", "label", "time", "data", "picture", "source", "col", "colgroup", "hgroup", "bdi"}


def omissions(markdown: str) -> list[str]:
    """Return a sentence for each kind of thing in a Markdown text that its page does not show, or shows differently."""
    env: dict[str, Any] = {}
    finder = _Finder()
    finder.feed(to_html(parse(markdown, env), env))
    finder.close()
    return list(dict.fromkeys([*finder.found, *_unused(markdown, env)]))[:MAX_OMISSIONS]


class _Finder(HTMLParser):
    """Collects sentences about a rendered text before it is sanitized."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in LEFT_OUT_TAGS - _SILENT:
            self.found.append(_left_out(tag))
        elif tag in ALLOWED_TAGS and tag not in ("td", "th") and _DESIGN_ATTRIBUTES & values.keys():
            self.found.append("Colors, fonts and alignment aren't kept: your site's design sets them.")
        if tag == "img":
            self.found += _about_picture(values.get("src", ""))
        elif tag == "a" and "href" in values:
            self.found += _about_link(values["href"])

    def handle_comment(self, data: str) -> None:
        self.found.append("Comments between <!-- and --> aren't shown.")


def _left_out(tag: str) -> str:
    if tag in _MEDIA:
        return f"Embedded content (<{tag}>) isn't shown. Put a link to it instead."
    if tag in _FORMS:
        return "Forms and buttons aren't shown."
    return f"<{tag}> isn't shown."


def _about_picture(address: str) -> list[str]:
    shown = picture_address(address)
    if shown is None:
        name = "in the text itself" if address.startswith("data:") else _quoted(address)
        return [f"The picture {name} isn't shown. Add it with the picture button."]
    if address.lower().startswith("http:"):
        hint = "If the preview doesn't show it, add it with the picture button."
        return [f"The picture {_quoted(address)} is loaded over https. {hint}"]
    return []


def _about_link(address: str) -> list[str]:
    if address in ("", "https://", "http://"):
        return ["A link has no address yet. Type it between the parentheses."]
    try:
        scheme = urlsplit(address).scheme
    except ValueError:
        return [f"{_quoted(address)} isn't an address that browsers can open."]
    if scheme and scheme not in URL_SCHEMES:
        return [f"{_quoted(address)} can't be opened from a page, so only the words of the link are shown."]
    if not scheme and not link_address(address).startswith(("/", "#", "?", "https:", "mailto:", "tel:")):
        return [f"{_quoted(address)} isn't a complete address. Start with https://, or with / for a page of your site."]
    return []


def _unused(markdown: str, env: dict[str, Any]) -> list[str]:
    """Return sentences about notes and references that nothing in the text uses: they vanish."""
    notes = env.get("footnotes", {}).get("refs", {})
    labels = [f"^{label.removeprefix(':')}" for label, position in notes.items() if position < 0]
    uses = Counter(" ".join(label.upper().split()) for label in _LABEL.findall(markdown))
    labels += [label for label in env.get("references", {}) if uses[label] == 1]
    return [f"[{_short(label)}]: … isn't shown, because nothing in the text refers to it." for label in labels]


def _quoted(address: str) -> str:
    return f"“{_short(unquote(address))}”"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_NAME_LENGTH else text[: _MAX_NAME_LENGTH - 1] + "…"
