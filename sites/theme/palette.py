"""The palettes of a guru's pages by day and at dusk, derived from two colors in OKLCH.

For any two colors, each pair of `TEXT_PAIRS` has a contrast of at least 4.5:1, each of `UI_PAIRS` 3:1 (WCAG 2.2, level
AA). The names are the CSS variables of guru-web's `base.css`, without the dashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from coloraide import Color

from sites.guru import Appearance

MIN_TEXT_CONTRAST: Final = 4.5
MIN_UI_CONTRAST: Final = 3.0

_HEX: Final = re.compile(r"#[0-9a-fA-F]{6}\Z")
_MAX_GRAY_CHROMA: Final = 0.03
"""The OKLCH chroma up to which a color looks gray."""
_BACKGROUNDS: Final = ("bg", "surface", "raised", "glow-a", "glow-b")

TEXT_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    *((ink, ground) for ink in ("text", "muted", "accent-text", "second-text", "danger") for ground in _BACKGROUNDS),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-soft", "soft"),
    ("on-tile", "tile-a"),
    ("on-tile", "tile-b"),
)
"""(text, background) pairs: at least 4.5:1."""

UI_PAIRS: Final[tuple[tuple[str, str], ...]] = tuple(
    (mark, ground) for mark in ("edge", "accent", "accent-hover", "focus") for ground in _BACKGROUNDS
)
"""(control, background) pairs: at least 3:1."""


def contrast(one: str, other: str) -> float:
    """Return the WCAG 2 contrast ratio of two "#rrggbb" colors, from 1 to 21."""
    return float(Color(one).contrast(other))


def palette(primary: str, secondary: str, *, by_day: bool = False) -> dict[str, str]:
    """Return every color of a guru's site by day or at dusk, by CSS variable name, as "#rrggbb".

    Raise ValueError unless both colors are "#" and six hexadecimal digits.
    """
    for color in (primary, secondary):
        if not _HEX.match(color):
            raise ValueError(f'a theme color is "#" and six hexadecimal digits, not {color!r}')
    return dict(_derive(primary.lower(), secondary.lower(), by_day=by_day))


def css(primary: str, secondary: str, appearance: Appearance) -> str:
    """Return the palette of a site as CSS rules. Raise ValueError as `palette` does."""

    def rule(*, by_day: bool) -> str:
        return _rule(palette(primary, secondary, by_day=by_day), "light" if by_day else "dark")

    if appearance == "device":
        return f"{rule(by_day=True)}@media (prefers-color-scheme:dark){{{rule(by_day=False)}}}"
    return rule(by_day=appearance == "day")


def _rule(colors: dict[str, str], scheme: Literal["light", "dark"]) -> str:
    return f":root{{color-scheme:{scheme};" + ";".join(f"--{name}:{value}" for name, value in colors.items()) + "}"


@lru_cache(maxsize=512)  # 4 kB each
def _derive(primary: str, secondary: str, *, by_day: bool) -> tuple[tuple[str, str], ...]:
    first, second = _Seed(primary), _Seed(secondary)
    colors = _by_day(first, second) if by_day else _at_dusk(first, second)
    # The guru's two colors as they are: behind dark signs, on light and on dark pages.
    ink = first.tone(0.17, 0.02)
    colors["tile-a"] = first.lighter([ink], MIN_TEXT_CONTRAST, lightness=min(max(first.lightness, 0.72), 0.9))
    colors["tile-b"] = second.lighter([ink], MIN_TEXT_CONTRAST, lightness=min(max(second.lightness, 0.64), 0.84))
    colors["on-tile"] = ink
    return tuple(colors.items())


def _at_dusk(first: _Seed, second: _Seed) -> dict[str, str]:
    """Return light texts and bright buttons on a dark page."""
    colors = {
        "bg": first.tone(0.165, 0.012),
        "surface": first.tone(0.205, 0.016),
        "raised": first.tone(0.25, 0.02),
        "line": first.tone(0.31, 0.022),
        "glow-a": first.tone(0.265, 0.06),
        "glow-b": second.tone(0.25, 0.05),
    }
    grounds = [colors[name] for name in _BACKGROUNDS]
    ink = first.tone(0.17, 0.02)
    colors["text"] = first.tone(0.965, 0.008)
    colors["muted"] = first.lighter(grounds, MIN_TEXT_CONTRAST, lightness=0.77, chroma=0.02)
    colors["edge"] = first.lighter(grounds, MIN_UI_CONTRAST, lightness=0.58, chroma=0.03)
    colors["accent-text"] = first.lighter(grounds, MIN_TEXT_CONTRAST, lightness=max(first.lightness, 0.78))
    colors["second-text"] = second.lighter(grounds, MIN_TEXT_CONTRAST, lightness=max(second.lightness, 0.74))
    colors["focus"] = first.lighter(grounds, MIN_UI_CONTRAST, lightness=max(first.lightness, 0.84))
    colors["danger"] = _Seed("#ff5f57").lighter(grounds, MIN_TEXT_CONTRAST, lightness=0.74)
    # Buttons are bright with dark text, to stand out on a dark page. A gray button looks disabled, so themes without
    # a hue get a nearly white one.
    lowest = 0.64 if first.chroma > _MAX_GRAY_CHROMA else 0.92
    accent = first.lighter([*grounds, ink], MIN_TEXT_CONTRAST, lightness=min(max(first.lightness, lowest), 0.93))
    colors["accent"] = accent
    colors["accent-hover"] = _Seed(accent).lighter(
        [*grounds, ink], MIN_TEXT_CONTRAST, lightness=_Seed(accent).lightness + 0.06
    )
    colors["on-accent"] = ink
    colors["soft"] = first.tone(0.33, 0.065)
    colors["on-soft"] = first.lighter([colors["soft"]], MIN_TEXT_CONTRAST, lightness=0.91, chroma=0.06)
    return colors


def _by_day(first: _Seed, second: _Seed) -> dict[str, str]:
    """Return dark texts and deep buttons on a light page."""
    colors = {
        "bg": first.tone(0.974, 0.007),
        "surface": first.tone(0.997, 0.004),
        "raised": first.tone(0.94, 0.014),
        "line": first.tone(0.885, 0.016),
        "glow-a": first.tone(0.935, 0.05),
        "glow-b": second.tone(0.945, 0.04),
    }
    grounds = [colors[name] for name in _BACKGROUNDS]
    colors["text"] = first.tone(0.235, 0.02)
    colors["muted"] = first.darker(grounds, MIN_TEXT_CONTRAST, lightness=0.47, chroma=0.03)
    colors["edge"] = first.darker(grounds, MIN_UI_CONTRAST, lightness=0.6, chroma=0.03)
    colors["accent-text"] = first.darker(grounds, MIN_TEXT_CONTRAST, lightness=min(first.lightness, 0.52))
    colors["second-text"] = second.darker(grounds, MIN_TEXT_CONTRAST, lightness=min(second.lightness, 0.52))
    colors["focus"] = first.darker(grounds, MIN_UI_CONTRAST, lightness=min(first.lightness, 0.5))
    colors["danger"] = _Seed("#c62f29").darker(grounds, MIN_TEXT_CONTRAST, lightness=0.53)
    # A gray button looks disabled, so themes without a hue get a nearly black one.
    white = first.tone(0.99, 0.006)
    highest = 0.62 if first.chroma > _MAX_GRAY_CHROMA else 0.3
    accent = first.darker([*grounds, white], MIN_TEXT_CONTRAST, lightness=min(first.lightness, highest))
    colors["accent"] = accent
    colors["accent-hover"] = _Seed(accent).darker(
        [*grounds, white], MIN_TEXT_CONTRAST, lightness=_Seed(accent).lightness - 0.06
    )
    colors["on-accent"] = white
    colors["soft"] = first.tone(0.915, 0.06)
    colors["on-soft"] = first.darker([colors["soft"]], MIN_TEXT_CONTRAST, lightness=0.36, chroma=0.08)
    return colors


class _Seed:
    """A chosen color, from which lighter and darker tones of its hue are derived."""

    def __init__(self, color: str) -> None:
        self.lightness, self.chroma, hue = Color(color).convert("oklch").coords(nans=False)
        self.hue = hue

    def tone(self, lightness: float, chroma: float | None = None) -> str:
        """Return the hue at a lightness (0 to 1), with at most `chroma` and at most the chroma of the chosen color."""
        strength = self.chroma if chroma is None else min(self.chroma, chroma)
        color = Color("oklch", [min(lightness, 1.0), strength, self.hue])
        return color.convert("srgb").fit("srgb", method="oklch-chroma").to_string(hex=True)

    def lighter(self, grounds: Iterable[str], ratio: float, *, lightness: float, chroma: float | None = None) -> str:
        """Return the darkest tone from `lightness` upward with at least `ratio` contrast to every dark background."""
        against = [Color(ground).luminance() for ground in grounds]
        while True:
            color = self.tone(lightness, chroma)
            bright = Color(color).luminance()
            if lightness >= 1 or all(bright + 0.05 >= ratio * (dark + 0.05) for dark in against):
                return color
            lightness += 0.01

    def darker(self, grounds: Iterable[str], ratio: float, *, lightness: float, chroma: float | None = None) -> str:
        """Return the lightest tone from `lightness` down with at least `ratio` contrast to every light background."""
        against = [Color(ground).luminance() for ground in grounds]
        while True:
            color = self.tone(max(lightness, 0.0), chroma)
            dark = Color(color).luminance()
            if lightness <= 0 or all(bright + 0.05 >= ratio * (dark + 0.05) for bright in against):
                return color
            lightness -= 0.01
