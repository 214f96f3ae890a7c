"""The font of PDF documents. Source Sans Pro has Latin, Greek and Cyrillic letters; `pdf_text` writes the others."""

from __future__ import annotations

import io
import unicodedata
from functools import cache
from importlib.resources import files

from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
from reportlab.pdfbase.ttfonts import TTFont  # type: ignore[import-untyped]

FONT, BOLD = "SourceSansPro-Regular", "SourceSansPro-Bold"

# They change the order of the letters after them, and show nothing themselves.
BIDI_FORMATTING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@cache
def register_fonts() -> frozenset[int]:
    """Register FONT and BOLD. Return the code points that both have."""
    fonts = []
    for name in (FONT, BOLD):
        data = files("font_source_sans_pro").joinpath("files", f"{name}.ttf").read_bytes()
        fonts.append(TTFont(name, io.BytesIO(data)))
        pdfmetrics.registerFont(fonts[-1])
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def clean(text: str) -> str:
    """Return a text in composed form, with single spaces and without characters that reorder others."""
    kept = "".join(character for character in text if character not in BIDI_FORMATTING)
    return " ".join(unicodedata.normalize("NFC", kept).split())


def is_simple(text: str) -> bool:
    """Return whether Source Sans Pro has each character of a clean text, and none has to be placed on another."""
    glyphs = register_fonts()
    return all(ord(character) in glyphs and not unicodedata.combining(character) for character in text)
