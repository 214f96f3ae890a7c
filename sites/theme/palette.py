"""A guru picks two colours; everything else a dark page needs is derived from them in OKLCH.

Whatever the two colours are, each pair in `TEXT_PAIRS` reaches 4.5:1 and each in `UI_PAIRS` 3:1 (WCAG 2.2, level AA).
The names are the CSS variables of guru-web's `base.css`, without the dashes.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from coloraide import Color

TEXT_RATIO: Final = 4.5
UI_RATIO: Final = 3.0

_HEX: Final = re.compile(r"#[0-9a-fA-F]{6}\Z")
_GREY: Final = 0.03
"""OKLCH chroma below which a colour reads as grey."""
_BACKGROUNDS: Final = ("bg", "surface", "raised", "glow-a", "glow-b")

TEXT_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    *((ink, ground) for ink in ("text", "muted", "accent-text", "second-text", "danger") for ground in _BACKGROUNDS),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-soft", "soft"),
    ("on-tile", "tile-a"),
    ("on-tile", "tile-b"),
)
"""(ink, ground) pairs that carry words: at least 4.5:1."""

UI_PAIRS: Final[tuple[tuple[str, str], ...]] = tuple(
    (mark, ground) for mark in ("edge", "accent", "accent-hover", "focus") for ground in _BACKGROUNDS
)
"""(mark, ground) pairs a person must see to use the page: at least 3:1."""


def contrast(one: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two "#rrggbb" colours, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def palette(primary: str, secondary: str) -> dict[str, str]:
    """Every colour of a guru's site, by CSS variable name, as "#rrggbb".

    Raises ValueError when a colour is not exactly "#" and six hexadecimal digits.
    """
    for colour in (primary, secondary):
        if not _HEX.match(colour):
            raise ValueError(f'a theme colour is "#" and six hexadecimal digits, not {colour!r}')
    return dict(_derive(primary.lower(), secondary.lower()))


def css(colours: dict[str, str]) -> str:
    """The palette as one CSS rule."""
    return ":root{" + ";".join(f"--{name}:{value}" for name, value in colours.items()) + "}"


@lru_cache(maxsize=512)  # 4 kB each
def _derive(primary: str, secondary: str) -> tuple[tuple[str, str], ...]:
    first, second = _Seed(primary), _Seed(secondary)
    made = {
        "bg": first.tone(0.165, 0.012),
        "surface": first.tone(0.205, 0.016),
        "raised": first.tone(0.25, 0.02),
        "line": first.tone(0.31, 0.022),
        "glow-a": first.tone(0.265, 0.06),
        "glow-b": second.tone(0.25, 0.05),
    }
    grounds = [made[name] for name in _BACKGROUNDS]
    ink = first.tone(0.17, 0.02)
    made["text"] = first.tone(0.965, 0.008)
    made["muted"] = first.readable(grounds, TEXT_RATIO, lightness=0.77, chroma=0.02)
    made["edge"] = first.readable(grounds, UI_RATIO, lightness=0.58, chroma=0.03)
    made["accent-text"] = first.readable(grounds, TEXT_RATIO, lightness=max(first.lightness, 0.78))
    made["second-text"] = second.readable(grounds, TEXT_RATIO, lightness=max(second.lightness, 0.74))
    made["focus"] = first.readable(grounds, UI_RATIO, lightness=max(first.lightness, 0.84))
    made["danger"] = _Seed("#ff5f57").readable(grounds, TEXT_RATIO, lightness=0.74)
    # Buttons bear dark words: on a dark page a bright button is the one to press.
    # A grey one would look switched off, so colourless themes get a nearly white one.
    lowest = 0.64 if first.chroma > _GREY else 0.92
    accent = first.readable([*grounds, ink], TEXT_RATIO, lightness=min(max(first.lightness, lowest), 0.93))
    made["accent"] = accent
    made["accent-hover"] = _Seed(accent).readable([*grounds, ink], TEXT_RATIO, lightness=_Seed(accent).lightness + 0.06)
    made["on-accent"] = ink
    made["soft"] = first.tone(0.33, 0.065)
    made["on-soft"] = first.readable([made["soft"]], TEXT_RATIO, lightness=0.91, chroma=0.06)
    made["tile-a"] = first.readable([ink], TEXT_RATIO, lightness=min(max(first.lightness, 0.72), 0.9))
    made["tile-b"] = second.readable([ink], TEXT_RATIO, lightness=min(max(second.lightness, 0.64), 0.84))
    made["on-tile"] = ink
    return tuple(made.items())


class _Seed:
    """A colour somebody picked, as the source of lighter and darker ones of its hue."""

    def __init__(self, colour: str) -> None:
        self.lightness, self.chroma, hue = Color(colour).convert("oklch").coords(nans=False)
        self.hue = hue

    def tone(self, lightness: float, chroma: float | None = None) -> str:
        """The hue at a lightness (0 to 1), with at most `chroma` and never more than the picked colour has."""
        strength = self.chroma if chroma is None else min(self.chroma, chroma)
        colour = Color("oklch", [min(lightness, 1.0), strength, self.hue])
        return colour.convert("srgb").fit("srgb", method="oklch-chroma").to_string(hex=True)

    def readable(self, grounds: Iterable[str], ratio: float, *, lightness: float, chroma: float | None = None) -> str:
        """The first tone from `lightness` upwards that stands out from every (dark) ground by `ratio`."""
        against = [_luminance(ground) for ground in grounds]
        while True:
            colour = self.tone(lightness, chroma)
            bright = _luminance(colour)
            if lightness >= 1 or all(bright + 0.05 >= ratio * (dark + 0.05) for dark in against):
                return colour
            lightness += 0.01


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
