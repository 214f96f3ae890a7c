"""Text helpers: normalization, slugs and XML."""

from __future__ import annotations

import re
import unicodedata

_NOT_IN_SLUGS = re.compile(r"[^a-z0-9]+")
# Latin letters that Unicode does not split into a letter and an accent; apostrophes, which are dropped.
_LETTERS = str.maketrans(
    {"ø": "o", "Ø": "o", "ß": "ss", "ẞ": "ss", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th"}
    | {"Þ": "th", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "ħ": "h", "Ħ": "h", "ŋ": "ng", "Ŋ": "ng"}
    | {"ŧ": "t", "Ŧ": "t", "ə": "e", "Ə": "e", "ĸ": "k", "ſ": "s", "ƒ": "f"}
    | dict.fromkeys("'’‘ʼ`´ʻ", "")
    | dict.fromkeys("‐‑‒–—―−", "-")
)
_FRACTION = re.compile("[¼-¾⅐-⅞]")
# XML 1.0 cannot represent these characters, escaped or not.
_INVALID_IN_XML = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF))


def slugify(text: str, max_length: int) -> str:
    """Return a text as lower-case Latin letters, digits and single hyphens; "" if nothing is left."""
    plain = to_plain_letters(text)
    letters = unicodedata.normalize("NFKD", plain).replace("\u2044", "-").encode("ascii", "ignore").decode()
    return _NOT_IN_SLUGS.sub("-", letters.lower()).strip("-")[:max_length].strip("-")


def to_plain_letters(text: str) -> str:
    """Return a text with Latin letters that have no accented form, such as ø and ß, and fractions spelled out."""
    return _FRACTION.sub(lambda sign: f" {unicodedata.normalize('NFKD', sign[0])} ", text.translate(_LETTERS))


def remove_invalid_xml_characters(text: str) -> str:
    """Return a text without the characters that XML 1.0 cannot represent."""
    return text.translate(_INVALID_IN_XML)


def normalize_text(text: str) -> str:
    """Return `text` without accents, case-folded, with single spaces. Like the SQL function app.normalize_text."""
    without_accents = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(without_accents.casefold().split())


def to_slug(text: str) -> str:
    """Return the words of `text`, normalized and joined with hyphens: "Health & Fitness" is "health-fitness"."""
    return _NOT_IN_SLUGS.sub("-", normalize_text(text)).strip("-")
