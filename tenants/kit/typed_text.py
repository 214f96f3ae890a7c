"""Text as people type or paste it, in the form to store: one place for every text input.

Office programs, PDF files and chats paste characters that people do not see: vertical tabs and form feeds as line
breaks, spaces that do not break, marks of width zero. They become line breaks and spaces, or are removed. A text
without a visible character is an empty text, so that a required field is refused as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

_LINE_BREAK = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")  # VT and FF: line and page breaks of office programs
# Breaks that no form or client sends in a field of one line on purpose, and the tab of a copied table's cell.
_BREAK_IN_LINE = re.compile("[\t\v\f\x85\u2028\u2029]")
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]")
_WIDE_SPACE = re.compile("\u3000")  # indents Japanese paragraphs, and separates names
# Other control characters (NUL is refused: only programs send it), soft hyphens, marks of width zero, annotations,
# placeholders of copied objects; and the controls of text direction, which reorder the words around them. Joiners
# stay: Persian, Indian scripts and emoji are written with them.
_INVISIBLE = re.compile(
    "[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffc"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Tags follow a black flag in the flags of England, Scotland and Wales; elsewhere they only hide words.
_HIDDEN_TAGS = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+")
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that are drawn as nothing
# Lone surrogates, NUL and non-characters: never typed, and not stored.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff\ufffe\uffff]")


def clean_line(text: str) -> str:
    """Return a text of one line without invisible characters; "" if nothing can be seen. Line breaks stay."""
    return _visible(_WIDE_SPACE.sub(" ", _SPACE.sub(" ", _BREAK_IN_LINE.sub(" ", text))))


def clean_text(text: str) -> str:
    """Return a text of several lines, with one character per line break, without invisible characters."""
    return _visible(_SPACE.sub(" ", _LINE_BREAK.sub("\n", text)))


def _visible(text: str) -> str:
    text = _HIDDEN_TAGS.sub("", _INVISIBLE.sub("", text))
    return text if text.isascii() or _UNSTORABLE.search(text) or any(map(_is_visible, text)) else ""


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in _BLANKS


class TypedText:
    """Marks a text input: `Annotated[str, StringConstraints(…), TypedText(…)]`, as the last constraint.

    The text is cleaned before its length is checked, because people cannot count what they do not see.
    """

    def __init__(self, clean: Callable[[str], str], *, is_one_line: bool) -> None:
        self._clean = clean
        self._is_one_line = is_one_line

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Clean before, and check after, the constraints of the annotation."""
        checked = core_schema.no_info_after_validator_function(self._check, handler(source))
        return core_schema.no_info_before_validator_function(self._prepare, checked)

    def _prepare(self, value: Any) -> Any:
        return self._clean(value) if isinstance(value, str) else value

    def _check(self, text: str | None) -> str | None:
        if text is None:
            return None
        if self._is_one_line and ("\n" in text or "\r" in text):
            raise ValueError("must be a single line")
        if _UNSTORABLE.search(text):
            raise ValueError("contains characters we can't save")
        return text


ONE_LINE = TypedText(clean_line, is_one_line=True)
PRINTABLE = TypedText(clean_text, is_one_line=False)
