"""Pictures for listings of the demo, drawn here: no photo of unknown origin is in the repository."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

from PIL import Image, ImageDraw

SIZE, SMALL = (1200, 800), (480, 320)
_FINE = 2  # drawn so much larger, so that edges are smooth
_Draw = Callable[[ImageDraw.ImageDraw], None]


def _at(*points: float) -> list[tuple[float, float]]:
    """Points in hundredths of the width, from the upper left corner."""
    unit = SIZE[0] * _FINE / 100
    pairs = iter(points)
    return [(x * unit, y * unit) for x, y in zip(pairs, pairs, strict=True)]


def _wide(hundredths: float) -> int:
    return round(hundredths * SIZE[0] * _FINE / 100)


def _bread(draw: ImageDraw.ImageDraw) -> None:
    """A loaf on a board, with its cuts."""
    draw.rounded_rectangle(_at(20, 34, 80, 51), _wide(6), fill="#a8662f")
    draw.chord(_at(20, 13, 80, 67), 180, 360, fill="#c9853f")
    draw.ellipse(_at(20, 36, 80, 45), fill="#c9853f")
    draw.ellipse(_at(29, 16, 65, 34), fill="#dba05a")
    for x in (36, 46, 56):
        draw.line(_at(x, 36, x + 9, 22), fill="#f6e3c0", width=_wide(2.6))
        draw.line(_at(x + 1.4, 37, x + 10.2, 23), fill="#a8662f", width=_wide(0.6))
    draw.rounded_rectangle(_at(10, 49.5, 90, 56), _wide(2.5), fill="#7a4b2a")
    draw.rounded_rectangle(_at(10, 49.5, 90, 53), _wide(1.75), fill="#8f5a34")


def _bicycle(draw: ImageDraw.ImageDraw) -> None:
    """A bicycle, upside down for repair."""
    draw.rectangle(_at(0, 56, 100, 67), fill="#24443b")
    for x in (31, 69):
        draw.ellipse(_at(x - 14, 12, x + 14, 40), outline="#10201c", width=_wide(1.5))
        draw.ellipse(_at(x - 12.4, 13.6, x + 12.4, 38.4), outline="#8fb8a6", width=_wide(0.5))
        for spoke in range(12):
            turn = math.pi * spoke / 6
            draw.line(_at(x, 26, x + 12 * math.cos(turn), 26 + 12 * math.sin(turn)), fill="#8fb8a6", width=_wide(0.25))
        draw.ellipse(_at(x - 1.5, 24.5, x + 1.5, 27.5), fill="#10201c")
    for tube in ((31, 26, 47, 27), (31, 26, 41, 46), (47, 27, 41, 46), (41, 46, 62, 45), (47, 27, 62, 45)):
        draw.line(_at(*tube), fill="#e4572e", width=_wide(1.7))
    draw.line(_at(69, 26, 61, 49), fill="#e4572e", width=_wide(1.7))
    draw.line(_at(41, 46, 39.4, 52), fill="#10201c", width=_wide(1.2))
    draw.rounded_rectangle(_at(33, 52, 45, 54.6), _wide(1.2), fill="#10201c")
    draw.line(_at(61, 49, 59, 54, 65, 56), fill="#10201c", width=_wide(1.4), joint="curve")
    draw.ellipse(_at(43.5, 23.5, 50.5, 30.5), outline="#10201c", width=_wide(1.1))
    draw.line(_at(47, 27, 52, 20), fill="#10201c", width=_wide(1))
    draw.line(_at(49.5, 20, 54.5, 20), fill="#10201c", width=_wide(1.3))


def _piano(draw: ImageDraw.ImageDraw) -> None:
    """Keys of a piano under sheets of music."""
    draw.rectangle(_at(0, 0, 100, 36), fill="#1d1a22")
    for x in (27.0, 51.0):
        draw.polygon(_at(x, 6, x + 22, 6, x + 23, 31, x - 1, 31), fill="#f4ecd8")
        for line in range(12):
            y = 9.5 + line * 1.1 + (line // 4) * 2.2
            draw.line(_at(x + 2, y, x + 20, y), fill="#8d8371", width=_wide(0.15))
            note = x + 3 + 5 * line % 16
            draw.ellipse(_at(note, y - 0.6, note + 1.3, y + 0.5), fill="#2b2533")
            draw.line(_at(note + 1.2, y, note + 1.2, y - 2.6), fill="#2b2533", width=_wide(0.25))
    draw.rectangle(_at(0, 34, 100, 37), fill="#8b1e2d")
    for key in range(14):
        x = key * 100 / 14
        draw.rounded_rectangle(_at(x + 0.15, 37, x + 100 / 14 - 0.15, 64.5), _wide(0.6), fill="#f7f3ea")
        if key % 7 not in (2, 6):
            draw.rounded_rectangle(_at(x + 5.1, 37, x + 9.2, 54), _wide(0.5), fill="#1d1a22")
            draw.rectangle(_at(x + 5.7, 37, x + 6.2, 52), fill="#4a4552")


_GROUNDS: dict[str, tuple[str, _Draw]] = {
    "bread": ("#f3d9b1", _bread),
    "bicycle": ("#bfe0d2", _bicycle),
    "piano": ("#1d1a22", _piano),
}


def drawn(name: str) -> tuple[bytes, bytes]:
    """A drawing as WebP of `SIZE`, and of `SMALL` for cards."""
    ground, draw = _GROUNDS[name]
    picture = Image.new("RGB", (SIZE[0] * _FINE, SIZE[1] * _FINE), ground)
    draw(ImageDraw.Draw(picture))
    return _webp(picture, SIZE), _webp(picture, SMALL)


def _webp(picture: Image.Image, size: tuple[int, int]) -> bytes:
    made = io.BytesIO()
    picture.resize(size, Image.Resampling.LANCZOS).save(made, "WEBP", quality=82, method=4)
    return made.getvalue()
