"""Photos of what is to be done: taken in as they come, kept drawn anew, small and without metadata."""

from __future__ import annotations

import asyncio
import io
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

from tenants.kit.errors import ValidationFailed

LARGEST = 8 * 1024 * 1024  # bytes of an upload
PIXELS = 40_000_000
SIDE = 1280
_FORMATS = ("JPEG", "PNG", "WEBP")
_at_once = asyncio.Semaphore(2)


class NotAPicture(ValidationFailed):
    """What was sent is no picture, or one that we do not take."""

    message = "Please use a JPEG, PNG or WebP picture of at most 8 MB and 40 megapixels."


async def redrawn(upload: bytes) -> bytes:
    """A WebP of at most SIDE pixels a side from an upload. Raises NotAPicture."""
    async with _at_once:
        return await asyncio.to_thread(_redraw, upload)


def _redraw(upload: bytes) -> bytes:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(upload), formats=_FORMATS) as opened:
                if opened.width * opened.height > PIXELS or min(opened.size) < 16:
                    raise NotAPicture(fields={"photo": NotAPicture.message})
                opened.draft("RGB", (2 * SIDE, 2 * SIDE))  # JPEGs are decoded small right away
                upright = ImageOps.exif_transpose(opened).convert("RGBA")
    except (
        UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as fault:  # fmt: skip
        raise NotAPicture(fields={"photo": NotAPicture.message}) from fault
    upright.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    flat = Image.new("RGB", upright.size, "white")
    flat.paste(upright, mask=upright.getchannel("A"))
    made = io.BytesIO()
    flat.save(made, "WEBP", quality=80, method=4)
    return made.getvalue()
