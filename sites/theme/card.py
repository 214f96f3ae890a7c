"""The OpenGraph image of a guru's page, which social networks show (1200 by 630), and smaller pictures."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from math import hypot
from typing import Final

from PIL import Image, ImageDraw, ImageFont, ImageOps

from sites.theme.icons import ICON_PATHS
from sites.theme.outline import outlines
from sites.theme.palette import palette
from sites.theme.theme import Theme

WIDTH: Final = 1200
HEIGHT: Final = 630
TOUCH_ICON_SIZE: Final = 180
_MARGIN: Final = 80
_TEXT_WIDTH: Final = 700
_TITLE_SIZES: Final = (84, 76, 68, 60, 54, 48)
_TITLE_LINES: Final = {84: 3, 76: 3, 68: 4, 60: 4, 54: 5, 48: 5}
_MAX_TEXT_LENGTH: Final = 400
_SCALE: Final = 2
"""The image is drawn larger by this factor and scaled down, for smooth edges."""
_ART_CENTER: Final = (985, 300)
_MISSING_GLYPH: Final = "\uffff"

_Font = ImageFont.FreeTypeFont


def og_image(title: str, character: str, theme: Mapping[str, str], *, address: str = "") -> bytes:
    """Return a PNG with the title, the guru's name and icon, in the theme's colors.

    `theme` is {primaryColor, secondaryColor, icon, emoji}. Long titles get a smaller font, then an ellipsis. Characters
    without a glyph are left out; an empty title is replaced by the guru's name, and an empty name by `address` (a host
    name). It takes some 100 ms of CPU: cache the result. Raise ValueError for malformed colors.
    """
    chosen = Theme.of(theme)
    colors = palette(chosen.primary, chosen.secondary)
    image = _art(chosen).copy()
    draw = ImageDraw.Draw(image)
    name = renderable(character) or renderable(address)
    heading = renderable(title) or name
    font, lines = fit_text(heading)
    step = round(font.size * 1.1)
    top = 270 - step * len(lines) // 2
    for index, line in enumerate(lines):
        draw.text((_MARGIN, top + index * step), line, font=font, fill=colors["text"])
    below = HEIGHT - 104
    small = text_font("Semibold", 34)
    footer = (renderable(address) if heading == name else name) or name
    draw.text((_MARGIN, below), _shorten(footer, small, _TEXT_WIDTH), font=small, fill=colors["accent-text"])
    brand = "Porchlight"
    draw.text((WIDTH - _MARGIN, below), brand, font=text_font("Regular", 34), fill=colors["muted"], anchor="ra")
    out = BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def touch_icon(theme: Mapping[str, str]) -> bytes:
    """Return the icon for the home screen of a phone as PNG: the guru's icon on a tile, which iOS rounds by itself.

    `theme` is as in `og_image`. Raise ValueError for malformed colors.
    """
    chosen = Theme.of(theme)
    colors = palette(chosen.primary, chosen.secondary)
    image = _tile(colors["tile-a"], colors["tile-b"], TOUCH_ICON_SIZE)
    glyph = TOUCH_ICON_SIZE * 0.56
    start = (TOUCH_ICON_SIZE - glyph) / 2
    path = ICON_PATHS.get(chosen.icon, ICON_PATHS["star"])
    _icon(ImageDraw.Draw(image), path, start, start, glyph, colors["on-tile"])
    out = BytesIO()
    image.resize((TOUCH_ICON_SIZE, TOUCH_ICON_SIZE), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def og_photo(picture: bytes) -> bytes:
    """Return a stored picture as a JPEG of the size of `og_image`. Some networks do not read WebP."""
    with Image.open(BytesIO(picture)) as image:
        fitted = ImageOps.fit(image.convert("RGB"), (WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    out = BytesIO()
    fitted.save(out, "JPEG", quality=84, progressive=True)
    return out.getvalue()


def scaled(picture: bytes, width: int, file_type: str) -> bytes:
    """Return a stored picture, at most `width` pixels wide, as "webp" or "avif"."""
    with Image.open(BytesIO(picture)) as image:
        if image.width <= width and file_type == "webp":
            return picture
        size = min(width, image.width)
        smaller = image.resize((size, max(1, round(image.height * size / image.width))), Image.Resampling.LANCZOS)
    out = BytesIO()
    if file_type == "avif":
        # The fastest of ten speeds: 50 ms for 1280 pixels, and 2 % more bytes than the middle one.
        smaller.save(out, "AVIF", quality=40, speed=9)
    else:
        smaller.save(out, "WEBP", quality=80)
    return out.getvalue()


@lru_cache(maxsize=4)  # 2 MB each
def _art(theme: Theme) -> Image.Image:
    """Draw everything but the text."""
    colors = palette(theme.primary, theme.secondary)
    image = _glow(colors["bg"], colors["glow-a"], colors["glow-b"])
    image = image.resize((WIDTH * _SCALE, HEIGHT * _SCALE), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(image)
    x, y = _ART_CENTER
    for radius in (300, 240, 180):
        _circle(draw, x, y, radius, outline=colors["line"], width=2)
    for dx, dy, radius, color in (
        (-127, -127, 9, "accent"),
        (175, -43, 12, "second-text"),
        (-150, 188, 7, "second-text"),
        (185, 153, 10, "accent"),
    ):
        _circle(draw, x + dx, y + dy, radius, fill=colors[color])
    tile = _tile(colors["tile-a"], colors["tile-b"], 232)
    image.paste(tile, (round((x - 116) * _SCALE), round((y - 116) * _SCALE)), _rounded_mask(tile.size, 56 * _SCALE))
    path = ICON_PATHS.get(theme.icon, ICON_PATHS["star"])
    _icon(draw, path, x - 66, y - 66, 132, colors["on-tile"])
    image = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    edge = ImageDraw.Draw(image)
    edge.line([(_MARGIN, HEIGHT - 132), (WIDTH - _MARGIN, HEIGHT - 132)], fill=colors["line"], width=2)
    return image


def _glow(ground: str, first: str, second: str) -> Image.Image:
    """Draw two soft lights in the corners, on a small image that is scaled up."""
    width, height = WIDTH // 10, HEIGHT // 10
    base, one, two = _rgb(ground), _rgb(first), _rgb(second)
    image = Image.new("RGB", (width, height))
    pixels = []
    for y in range(height):
        for x in range(width):
            a = max(0.0, 1 - hypot(x - width * 0.82, (y - height * 0.4) * 1.2) / (width * 0.55)) ** 1.4
            b = max(0.0, 1 - hypot(x, (y - height) * 1.2) / (width * 0.6)) ** 1.4
            pixels.append(
                tuple(round(c + (p - c) * a + (q - c) * b * (1 - a)) for c, p, q in zip(base, one, two, strict=True))
            )
    image.putdata(pixels)
    return image


def _tile(first: str, second: str, size: int) -> Image.Image:
    one, two = _rgb(first), _rgb(second)
    small = Image.new("RGB", (2, 2))
    middle = tuple((a + b) // 2 for a, b in zip(one, two, strict=True))
    small.putdata([one, middle, middle, two])
    return small.resize((size * _SCALE, size * _SCALE), Image.Resampling.BILINEAR)


def _rounded_mask(size: tuple[int, int], radius: int) -> Image.Image:
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius, fill=255)
    return mask


def _circle(
    draw: ImageDraw.ImageDraw,
    x: float,
    y: float,
    radius: float,
    *,
    fill: str | None = None,
    outline: str | None = None,
    width: int = 1,
) -> None:
    box = [value * _SCALE for value in (x - radius, y - radius, x + radius, y + radius)]
    draw.ellipse(box, fill=fill, outline=outline, width=width * _SCALE)


def _icon(draw: ImageDraw.ImageDraw, path: str, left: float, top: float, size: float, color: str) -> None:
    """Draw a line icon with round ends and joints."""
    unit = size / 24
    stroke = round(2 * unit * _SCALE)
    for line in outlines(path):
        points = [((left + x * unit) * _SCALE, (top + y * unit) * _SCALE) for x, y in line]
        draw.line(points, fill=color, width=stroke, joint="curve")
        for x, y in (points[0], points[-1]):
            draw.ellipse((x - stroke / 2, y - stroke / 2, x + stroke / 2, y + stroke / 2), fill=color)


def fit_text(text: str) -> tuple[_Font, list[str]]:
    """Return the largest font in which the text fits into 700 pixels, and its lines.

    At the smallest size, an ellipsis replaces what does not fit. Characters without a glyph are left out.
    """
    text = renderable(text)
    for size in _TITLE_SIZES:
        font = text_font("Bold", size)
        lines = _wrap(text, font)
        if len(lines) <= _TITLE_LINES[size] and all(font.getlength(line) <= _TEXT_WIDTH for line in lines):
            return font, lines
    fitting = lines[: _TITLE_LINES[size]]
    if len(fitting) < len(lines):
        fitting[-1] = f"{fitting[-1]} …"
    return font, [_shorten(line, font, _TEXT_WIDTH) for line in fitting]


def _wrap(text: str, font: _Font) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= _TEXT_WIDTH:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _shorten(text: str, font: _Font, width: int) -> str:
    if font.getlength(text) <= width:
        return text
    text = text.rstrip(" …")
    while text and font.getlength(f"{text}…") > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def renderable(text: str) -> str:
    """Return the text without characters that the font has no glyph for."""
    font = text_font("Bold", 48)
    letters = (letter if letter.isspace() or _has_glyph(font, letter) else "" for letter in text[:_MAX_TEXT_LENGTH])
    return " ".join("".join(letters).split())


@lru_cache(maxsize=4096)
def _has_glyph(font: _Font, letter: str) -> bool:
    if not letter.isprintable() or "\ud800" <= letter <= "\udfff":
        return False
    drawn = font.getmask(letter)
    missing = font.getmask(_MISSING_GLYPH)
    return drawn.size != missing.size or bytes(drawn) != bytes(missing)


@lru_cache(maxsize=32)
def text_font(weight: str, size: int) -> _Font:
    """Return Source Sans Pro in a weight ("Regular", "Semibold" or "Bold") and a size in pixels."""
    data = files("font_source_sans_pro").joinpath("files", f"SourceSansPro-{weight}.ttf").read_bytes()
    return ImageFont.truetype(BytesIO(data), size)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
