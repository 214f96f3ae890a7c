"""Images for demo listings, drawn in code, so that the repository needs no photos of third parties."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

from PIL import Image, ImageDraw

SIZE, THUMBNAIL_SIZE = (1200, 800), (480, 320)
_SUPERSAMPLING = 2  # scale factor for anti-aliasing
_Draw = Callable[[ImageDraw.ImageDraw], None]


def _points(*points: float) -> list[tuple[float, float]]:
    """Convert points from hundredths of the width, from the upper left corner, to pixels."""
    unit = SIZE[0] * _SUPERSAMPLING / 100
    pairs = iter(points)
    return [(x * unit, y * unit) for x, y in zip(pairs, pairs, strict=True)]


def _width(hundredths: float) -> int:
    return round(hundredths * SIZE[0] * _SUPERSAMPLING / 100)


def _bread(draw: ImageDraw.ImageDraw) -> None:
    """Draw a loaf of bread on a board."""
    draw.rounded_rectangle(_points(20, 34, 80, 51), _width(6), fill="#a8662f")
    draw.chord(_points(20, 13, 80, 67), 180, 360, fill="#c9853f")
    draw.ellipse(_points(20, 36, 80, 45), fill="#c9853f")
    draw.ellipse(_points(29, 16, 65, 34), fill="#dba05a")
    for x in (36, 46, 56):
        draw.line(_points(x, 36, x + 9, 22), fill="#f6e3c0", width=_width(2.6))
        draw.line(_points(x + 1.4, 37, x + 10.2, 23), fill="#a8662f", width=_width(0.6))
    draw.rounded_rectangle(_points(10, 49.5, 90, 56), _width(2.5), fill="#7a4b2a")
    draw.rounded_rectangle(_points(10, 49.5, 90, 53), _width(1.75), fill="#8f5a34")


def _bicycle(draw: ImageDraw.ImageDraw) -> None:
    """Draw a bicycle, upside down for repair."""
    draw.rectangle(_points(0, 56, 100, 67), fill="#24443b")
    for x in (31, 69):
        draw.ellipse(_points(x - 14, 12, x + 14, 40), outline="#10201c", width=_width(1.5))
        draw.ellipse(_points(x - 12.4, 13.6, x + 12.4, 38.4), outline="#8fb8a6", width=_width(0.5))
        for spoke in range(12):
            turn = math.pi * spoke / 6
            draw.line(
                _points(x, 26, x + 12 * math.cos(turn), 26 + 12 * math.sin(turn)), fill="#8fb8a6", width=_width(0.25)
            )
        draw.ellipse(_points(x - 1.5, 24.5, x + 1.5, 27.5), fill="#10201c")
    for tube in ((31, 26, 47, 27), (31, 26, 41, 46), (47, 27, 41, 46), (41, 46, 62, 45), (47, 27, 62, 45)):
        draw.line(_points(*tube), fill="#e4572e", width=_width(1.7))
    draw.line(_points(69, 26, 61, 49), fill="#e4572e", width=_width(1.7))
    draw.line(_points(41, 46, 39.4, 52), fill="#10201c", width=_width(1.2))
    draw.rounded_rectangle(_points(33, 52, 45, 54.6), _width(1.2), fill="#10201c")
    draw.line(_points(61, 49, 59, 54, 65, 56), fill="#10201c", width=_width(1.4), joint="curve")
    draw.ellipse(_points(43.5, 23.5, 50.5, 30.5), outline="#10201c", width=_width(1.1))
    draw.line(_points(47, 27, 52, 20), fill="#10201c", width=_width(1))
    draw.line(_points(49.5, 20, 54.5, 20), fill="#10201c", width=_width(1.3))


def _piano(draw: ImageDraw.ImageDraw) -> None:
    """Draw piano keys under sheet music."""
    draw.rectangle(_points(0, 0, 100, 36), fill="#1d1a22")
    for x in (27.0, 51.0):
        draw.polygon(_points(x, 6, x + 22, 6, x + 23, 31, x - 1, 31), fill="#f4ecd8")
        for line in range(12):
            y = 9.5 + line * 1.1 + (line // 4) * 2.2
            draw.line(_points(x + 2, y, x + 20, y), fill="#8d8371", width=_width(0.15))
            note = x + 3 + 5 * line % 16
            draw.ellipse(_points(note, y - 0.6, note + 1.3, y + 0.5), fill="#2b2533")
            draw.line(_points(note + 1.2, y, note + 1.2, y - 2.6), fill="#2b2533", width=_width(0.25))
    draw.rectangle(_points(0, 34, 100, 37), fill="#8b1e2d")
    for key in range(14):
        x = key * 100 / 14
        draw.rounded_rectangle(_points(x + 0.15, 37, x + 100 / 14 - 0.15, 64.5), _width(0.6), fill="#f7f3ea")
        if key % 7 not in (2, 6):
            draw.rounded_rectangle(_points(x + 5.1, 37, x + 9.2, 54), _width(0.5), fill="#1d1a22")
            draw.rectangle(_points(x + 5.7, 37, x + 6.2, 52), fill="#4a4552")


_ILLUSTRATIONS: dict[str, tuple[str, _Draw]] = {
    "bread": ("#f3d9b1", _bread),
    "bicycle": ("#bfe0d2", _bicycle),
    "piano": ("#1d1a22", _piano),
}


def draw_illustration(name: str) -> tuple[bytes, bytes]:
    """Return an illustration as WebP in `SIZE` and in `THUMBNAIL_SIZE`."""
    background, draw = _ILLUSTRATIONS[name]
    image = Image.new("RGB", (SIZE[0] * _SUPERSAMPLING, SIZE[1] * _SUPERSAMPLING), background)
    draw(ImageDraw.Draw(image))
    return _webp(image, SIZE), _webp(image, THUMBNAIL_SIZE)


def _webp(image: Image.Image, size: tuple[int, int]) -> bytes:
    output = io.BytesIO()
    image.resize(size, Image.Resampling.LANCZOS).save(output, "WEBP", quality=82, method=4)
    return output.getvalue()
