"""The pictures of link previews of the main platform's pages: the product's mark with the title of the page."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO

from PIL import Image, ImageDraw

from sites.theme.card import fit_text, text_font

# The common picture of the build, main-web/public/social.png, has the mark on the left and the name beside it.
COMMON_PICTURE = "/social.png"
PREFIX = "/social"
MAX_PICTURES = 64  # some 15 KB each, photos 100 KB
_TEXT_LEFT = 450
_MIDDLE = 290
_TITLE_COLOR, _PLACE_COLOR = "#f2f5f3", "#c3cfc8"
_PLACE_SIZE = 40


def picture_path(path: str) -> str:
    """Return the path of the picture of the page at `path`."""
    return COMMON_PICTURE if path == "/" else f"{PREFIX}{path.rstrip('/')}.png"


def photo_path(path: str) -> str:
    """Return the path of the photo of the page at `path`, as JPEG: not every network reads WebP."""
    return f"{PREFIX}{path.rstrip('/')}.jpg"


def page_path(picture: str) -> str | None:
    """Return the path of the page whose picture or photo has this path, or None."""
    path = picture.removeprefix(PREFIX)
    is_picture = picture.startswith(PREFIX + "/") and path.endswith((".png", ".jpg"))
    return path[: -len(".png")] if is_picture else None


def to_jpeg(photo: bytes) -> bytes:
    """Return a stored photo as JPEG of the same size."""
    out = BytesIO()
    with Image.open(BytesIO(photo)) as image:
        image.convert("RGB").save(out, "JPEG", quality=84, progressive=True)
    return out.getvalue()


def draw_picture(common: bytes, title: str) -> bytes:
    """Return the common picture with a page's title in place of the name and the slogan, as PNG.

    The title of a browser tab: its first part is large, and those after " · " follow below. It takes some 50 ms of CPU.
    """
    heading, _separator, place = title.partition(" · ")
    with Image.open(BytesIO(common)) as stored:
        image = stored.convert("RGB")
    draw = ImageDraw.Draw(image)
    ground = image.getpixel((0, 0))
    draw.rectangle((_TEXT_LEFT - 20, 0, image.width, image.height), fill=ground)
    title_font, lines = fit_text(heading)
    step = round(title_font.size * 1.1)
    top = _MIDDLE - step * len(lines) // 2
    for index, line in enumerate(lines):
        draw.text((_TEXT_LEFT, top + index * step), line, font=title_font, fill=_TITLE_COLOR)
    below = (_TEXT_LEFT, top + step * len(lines) + 20)
    draw.text(below, place, font=text_font("Regular", _PLACE_SIZE), fill=_PLACE_COLOR)
    out = BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


class SocialPictures:
    """Draws the pictures, one at a time, and keeps the ones that were requested last."""

    def __init__(self, common: bytes) -> None:
        self._common = common
        self._pictures: OrderedDict[str | bytes, bytes] = OrderedDict()
        self._drawing = asyncio.Semaphore(1)

    async def of_title(self, title: str) -> bytes:
        """Return the picture with this title."""
        return await self._find_or_draw(title, lambda: draw_picture(self._common, title))

    async def of_photo(self, photo: bytes) -> bytes:
        """Return a stored photo as JPEG."""
        return await self._find_or_draw(sha256(photo).digest(), lambda: to_jpeg(photo))

    async def _find_or_draw(self, key: str | bytes, draw: Callable[[], bytes]) -> bytes:
        async with self._drawing:
            if key not in self._pictures:
                self._pictures[key] = await asyncio.to_thread(draw)
            self._pictures.move_to_end(key)
            while len(self._pictures) > MAX_PICTURES:
                self._pictures.popitem(last=False)
            return self._pictures[key]
