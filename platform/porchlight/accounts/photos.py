"""Profile photos: whatever arrives is decoded within limits and drawn anew, so that nothing of the file survives."""

from __future__ import annotations

import asyncio
import io
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

from tenants.kit.errors import ValidationFailed

LARGEST = 8 * 1024 * 1024  # bytes of an upload
PIXELS = 40_000_000  # a larger picture is not decoded: a small file can unfold into gigabytes
SIDE = 512  # pixels of the square we keep
_FORMATS = ("JPEG", "PNG", "WEBP")
_at_once = asyncio.Semaphore(1)  # a decoded picture may take 160 MB


class NotAPicture(ValidationFailed):
    """What arrived is no picture we take."""

    message = "Please choose a JPEG, PNG or WebP picture of at most 8 MB and 40 megapixels."


async def redrawn(upload: bytes) -> bytes:
    """A square WebP of SIDE pixels from an upload, without metadata. Raises NotAPicture."""
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
                upright = ImageOps.exif_transpose(opened)
                square = ImageOps.fit(upright.convert("RGBA"), (SIDE, SIDE), Image.Resampling.LANCZOS)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as fault:
        raise NotAPicture(fields={"photo": NotAPicture.message}) from fault
    except Image.DecompressionBombWarning as fault:
        raise NotAPicture(fields={"photo": NotAPicture.message}) from fault
    flat = Image.new("RGB", square.size, "white")
    flat.paste(square, mask=square.getchannel("A"))
    made = io.BytesIO()
    flat.save(made, "WEBP", quality=82, method=4)
    return made.getvalue()
