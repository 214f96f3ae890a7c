"""The fonts of texts that Source Sans Pro cannot write: Noto Sans of the world's scripts, symbols and emoji."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import uharfbuzz as hb

from tenants.kit.pdf_fonts import BOLD, FONT

# The most frequent of Chinese, Japanese and Korean names come first; symbols and emoji last, for they have letters too.
_SCRIPTS = (
    "", "Arabic", "Hebrew", "Devanagari", "Thai", "Bengali", "Tamil", "Telugu", "Gujarati", "Gurmukhi", "Kannada",
    "Malayalam", "Sinhala", "Oriya", "Armenian", "Georgian", "Ethiopic", "Khmer", "Lao", "Myanmar",
)  # fmt: skip
_MARKS = ("Symbols",)
# Places of the faces in the collection. Each has all characters, in the forms that its readers are used to.
_JAPANESE, _KOREAN, _SIMPLIFIED, _TRADITIONAL = 0, 1, 2, 3


@dataclass(frozen=True, eq=False, slots=True)
class Face:
    """One font: what shapes it, and which characters it has."""

    name: str
    face: hb.Face
    font: hb.Font
    characters: frozenset[int]

    def has(self, text: str) -> bool:
        """Return whether the font has a glyph for each character that shows something."""
        return all(ord(character) in self.characters or is_invisible(character) for character in text)


def is_invisible(character: str) -> bool:
    """Return whether a character only changes its neighbors: joiners and variation selectors."""
    return character in "\u200c\u200d\u2060" or "\ufe00" <= character <= "\ufe0f" or character >= "\U000e0100"


def faces_for(text: str, name: str) -> tuple[Face, ...]:
    """Return the fonts to try for each character of a text, first the one called `name`."""
    return (_source_sans(name), *(_noto(script) for script in _SCRIPTS), _east_asian(_east_asian_face(text)), *_marks())


def emoji_face() -> Face:
    """Return the font of emoji, which is in black and white."""
    return _load("manimgx_fonts", "NotoEmoji[wght].ttf", "NotoEmoji")


@cache
def _source_sans(name: str) -> Face:
    if name not in (FONT, BOLD):
        raise ValueError(f"There is no font {name!r}.")
    return _load("font_source_sans_pro", f"files/{name}.ttf", name)


@cache
def _noto(script: str) -> Face:
    return _load("manimgx_fonts", f"NotoSans{script}[wght].ttf", f"NotoSans{script}")


@cache
def _marks() -> tuple[Face, ...]:
    return (*(_noto(name) for name in _MARKS), emoji_face())


@cache
def _east_asian(index: int) -> Face:
    return _load("noto_cjk_sans_otc", "NotoSansCJK-Regular.ttc", f"NotoSansCJK{index}", index)


def _east_asian_face(text: str) -> int:
    """Return the face for the language that a text's letters show. Han characters alone may be any of them."""
    names = {unicodedata.name(character, "").split(" ")[0] for character in text if ord(character) > 0x1000}
    if names & {"HIRAGANA", "KATAKANA", "HALFWIDTH"}:
        return _JAPANESE
    if "HANGUL" in names:
        return _KOREAN
    return _TRADITIONAL if "BOPOMOFO" in names else _SIMPLIFIED


@cache
def _load(package: str, path: str, name: str, index: int = 0) -> Face:
    with as_file(files(package).joinpath(path)) as file:
        face = hb.Face(hb.Blob.from_file_path(str(file)), index)
    return Face(name, face, hb.Font(face), frozenset(face.unicodes))
