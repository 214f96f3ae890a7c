"""Pictures for posts: what arrives is decoded within limits and drawn anew, so that nothing of the file survives."""

from __future__ import annotations

import asyncio
import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from tenants.kit.errors import ValidationFailed

LARGEST = 8 * 1024 * 1024  # bytes of an upload
PIXELS = 40_000_000  # a larger picture is not decoded: a small file can unfold into gigabytes
WIDTH, HEIGHT = 1600, 2400  # pixels of the picture we keep, at most
_FORMATS = ("JPEG", "PNG", "WEBP")
_at_once = asyncio.Semaphore(1)  # a decoded picture may take 160 MB


class NotAPicture(ValidationFailed):
    """What arrived is no picture we take."""

    message = "Please choose a JPEG, PNG or WebP picture of at most 8 MB and 40 megapixels."


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture as WebP."""

    data: bytes
    width: int
    height: int


async def drawn_anew(upload: bytes) -> Drawn:
    """The picture of an upload, upright, without metadata, within WIDTH and HEIGHT. Raises NotAPicture."""
    async with _at_once:
        return await asyncio.to_thread(_draw, upload)


def _draw(upload: bytes) -> Drawn:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(upload), formats=_FORMATS) as opened:
                if opened.width * opened.height > PIXELS:
                    raise NotAPicture(fields={"image": NotAPicture.message})
                opened.draft("RGB", (WIDTH, HEIGHT))  # JPEGs are decoded small right away
                upright = ImageOps.exif_transpose(opened)
                clear = "A" in upright.getbands() or "transparency" in upright.info
                picture = upright.convert("RGBA" if clear else "RGB")
                picture.thumbnail((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as fault:
        raise NotAPicture(fields={"image": NotAPicture.message}) from fault
    except Image.DecompressionBombWarning as fault:
        raise NotAPicture(fields={"image": NotAPicture.message}) from fault
    # Pixels alone: what else the file carried (place, camera, profile, comments) stays behind.
    bare = Image.new(picture.mode, picture.size)
    bare.paste(picture)
    made = io.BytesIO()
    bare.save(made, "WEBP", quality=82, method=4)
    return Drawn(made.getvalue(), bare.width, bare.height)
