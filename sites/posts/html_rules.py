"""Rules for the HTML of a post: elements, attributes, and addresses of links and pictures as people type them."""

from __future__ import annotations

import re

ALLOWED_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "details", "div", "dl", "dt", "em",
    "figcaption", "figure", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p",
    "pre", "q", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "u", "ul", "var", "wbr",
}  # fmt: skip
ALLOWED_ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),  # without it, nh3 allows some on every element
    "a": {"href", "title", "id"},
    "img": {"src", "alt", "title", "width", "height", "loading", "decoding"},
    "h2": {"id"},
    "h3": {"id"},
    "h4": {"id"},
    "li": {"id"},
    "ol": {"start"},
    "code": {"class"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
}
URL_SCHEMES = {"https", "http", "mailto", "tel", "sms", "geo", "webcal", "facetime", "whatsapp"}

# Elements of pasted pages that are written as an allowed one. The page has a first-level heading of its own.
_RENAMED_TAGS = {
    "h1": "h2", "address": "div", "article": "div", "aside": "div", "center": "div", "footer": "div", "header": "div",
    "main": "div", "nav": "div", "strike": "s", "tt": "code", "big": "span", "font": "span",
}  # fmt: skip
# Known elements that pages do not show, or show without their tags. Any other name in angle brackets, such as
# "Dear <name>", is not HTML: it is shown as typed.
LEFT_OUT_TAGS = {
    "applet", "area", "audio", "base", "bdi", "bdo", "body", "button", "canvas", "col", "colgroup", "data", "datalist",
    "dialog", "embed", "fieldset", "form", "frame", "frameset", "head", "hgroup", "html", "iframe", "input", "label",
    "legend", "link", "map", "marquee", "math", "menu", "meta", "meter", "noscript", "object", "optgroup", "option",
    "output", "param", "picture", "plaintext", "progress", "rp", "rt", "ruby", "script", "select", "slot", "source",
    "style", "svg", "template", "textarea", "time", "title", "track", "video", "xmp",
}  # fmt: skip
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)|<")
_COMMENT_START = re.compile(r"!--|!\[CDATA|!doctype", re.IGNORECASE)

_FOOTNOTE_ID = re.compile(r"fn(?:ref)?[0-9]+(?::[0-9]+)?")
_HEADING_ID = re.compile(r"(?!__)[\w-]+")  # Next.js finds its data and its root by ids that start with two underscores
_LANGUAGE = re.compile(r"language-[a-z0-9+-]{1,20}")
_CELL_SPAN = re.compile(r"[1-9][0-9]?")
_HOST = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?!html?$|php$|pdf$|jpe?g$|png$|md$)[^\W\d_]{2,24}", re.ASCII)
_EMAIL = re.compile(r"[^\s@/:?#]+@(?:[\w-]+\.)+[^\W\d_]{2,24}")
# Seven digits at least, and neither a date nor years: 2026-12-05, 5.12.2026, 2019-2024.
_PHONE = re.compile(
    r"(?!\d{4}[-.]\d\d?[-.]\d\d?$|\d\d?[-.]\d\d?[-.](?:\d\d|\d{4})$|(?:19|20)\d\d ?- ?(?:19|20)\d\d$)"
    r"(?=(?:\D*\d){7,15}\D*$)\+?[0-9 ().-]{7,24}"
)
_IP_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")


def escape_unknown_tags(html: str) -> str:
    """Return typed HTML with tags renamed to those that sites show, and escape what only looks like a tag."""

    def written(match: re.Match[str]) -> str:
        name = (match[2] or "").lower()
        if name in _RENAMED_TAGS:
            return f"<{match[1]}{_RENAMED_TAGS[name]}"
        if name in ALLOWED_TAGS or name in LEFT_OUT_TAGS or _COMMENT_START.match(html, match.end()):
            return match[0]
        return "&lt;" + match[0][1:]

    return _TAG.sub(written, html)


def filter_attribute(tag: str, name: str, value: str) -> str | None:
    """Return an attribute as the page has it, or None to leave it out."""
    if name == "class":
        return value if _LANGUAGE.fullmatch(value) else None
    if name == "id":
        pattern = _FOOTNOTE_ID if tag in ("a", "li") else _HEADING_ID
        return value if pattern.fullmatch(value) else None
    if name == "align":
        return value if value in ("left", "right", "center") else None
    if name in ("colspan", "rowspan"):
        return value if _CELL_SPAN.fullmatch(value) else None
    if name == "src":
        return picture_address(value)
    return link_address(value) if name == "href" else value


def picture_address(typed: str) -> str | None:
    """Return where a picture is loaded from: by https, or from the guru's own site; None for anything else."""
    if typed.lower().startswith("http://"):
        return "https://" + typed[len("http://") :]
    if typed.startswith("//"):
        return "https:" + typed
    return typed if typed.lower().startswith(("https://", "/")) else None


def link_address(typed: str) -> str:
    """Return where a link leads. An address without its scheme, as people type it, is completed."""
    if typed.startswith("//"):
        return "https:" + typed
    if typed.startswith(("/", "#", "?")):
        return typed
    host = re.split(r"[/?#]", typed, maxsplit=1)[0]
    if typed.lower().startswith("www.") or _HOST.fullmatch(host) or _IP_ADDRESS.fullmatch(host):
        return "https://" + typed
    if _EMAIL.fullmatch(typed.split("?", 1)[0]):
        return "mailto:" + typed
    phone = typed.replace("%20", " ")
    if _PHONE.fullmatch(phone):
        return "tel:" + re.sub(r"[^0-9+]", "", phone)
    return typed
