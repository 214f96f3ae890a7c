"""The pictures of link previews of the main platform's pages: the product's mark with the title of the page."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from io import BytesIO

from PIL import Image, ImageDraw

from sites.theme.card import fit_text, text_font

# The common picture of the build, main-web/public/social.png, has the mark on the left and the name beside it.
COMMON_PICTURE = "/social.png"
PREFIX = "/social"
MAX_PICTURES = 64  # some 15 KB each
_TEXT_LEFT = 450
_MIDDLE = 290
_TITLE_COLOR, _PLACE_COLOR = "#f2f5f3", "#c3cfc8"
_PLACE_SIZE = 40


def picture_path(path: str) -> str:
    """Return the path of the picture of the page at `path`."""
    return COMMON_PICTURE if path == "/" else f"{PREFIX}{path.rstrip('/')}.png"


def page_path(picture: str) -> str | None:
    """Return the path of the page whose picture has this path, or None."""
    path = picture.removeprefix(PREFIX)
    return path.removesuffix(".png") if path.startswith("/") and path.endswith(".png") else None


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
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._drawing = asyncio.Semaphore(1)

    async def of_title(self, title: str) -> bytes:
        """Return the picture with this title."""
        async with self._drawing:
            if title not in self._pictures:
                self._pictures[title] = await asyncio.to_thread(draw_picture, self._common, title)
            self._pictures.move_to_end(title)
            while len(self._pictures) > MAX_PICTURES:
                self._pictures.popitem(last=False)
            return self._pictures[title]
