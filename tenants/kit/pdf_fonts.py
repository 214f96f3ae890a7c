"""The font of PDF documents. Source Sans Pro has Latin, Greek and Cyrillic letters."""

from __future__ import annotations

import io
import unicodedata
from functools import cache
from importlib.resources import files

from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
from reportlab.pdfbase.ttfonts import TTFont  # type: ignore[import-untyped]

FONT, BOLD = "SourceSansPro-Regular", "SourceSansPro-Bold"


@cache
def register_fonts() -> frozenset[int]:
    """Register FONT and BOLD. Return the code points that both have."""
    fonts = []
    for name in (FONT, BOLD):
        data = files("font_source_sans_pro").joinpath("files", f"{name}.ttf").read_bytes()
        fonts.append(TTFont(name, io.BytesIO(data)))
        pdfmetrics.registerFont(fonts[-1])
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def renderable(text: str, replacement: str = "") -> str:
    """Return a text with single spaces, and with `replacement` for each character that the font does not have."""
    glyphs = register_fonts()
    composed = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(c if ord(c) in glyphs else replacement for c in composed)
