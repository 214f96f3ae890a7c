"""Pictures that people send: decoded within limits and drawn anew, so that nothing else of the file survives."""

from __future__ import annotations

import asyncio
import io
import warnings
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageOps, UnidentifiedImageError

from tenants.kit.errors import TooLarge, ValidationFailed

LARGEST = 8 * 1024 * 1024  # bytes of an upload
PIXELS = 40_000_000  # a larger picture is not decoded: a small file can unfold into gigabytes
# How the API's document tells of a body that is the picture itself.
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in ("image/jpeg", "image/png", "image/webp")
        },
    }
}
# What a drawn picture is answered with, beside how long it may be kept: it is a picture, whatever stands in it.
HEADERS = {"x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'"}
_SMALLEST = 16  # pixels a side
_FORMATS = ("JPEG", "PNG", "WEBP")
_at_once = asyncio.Semaphore(2)  # a decoded picture may take 160 MB


class NotAPicture(ValidationFailed):
    """What arrived is no picture we take."""

    message = "Please choose a JPEG, PNG or WebP picture of at most 8 MB and 40 megapixels."


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture as WebP, with its size in pixels."""

    data: bytes
    width: int
    height: int


async def drawn_anew(
    upload: bytes, size: tuple[int, int], *, field: str, crop: bool = False, opaque: bool = True
) -> Drawn:
    """The picture of an upload: upright, without metadata, at most `size` (width and height in pixels).

    `crop` fills `size` exactly, cutting what lies beyond; `opaque` puts white behind what is clear. Raises TooLarge;
    NotAPicture, which names `field`.
    """
    if len(upload) > LARGEST:
        raise TooLarge
    async with _at_once:
        picture = await asyncio.to_thread(_drawn, upload, size, crop, opaque)
    if picture is None:
        raise NotAPicture(fields={field: NotAPicture.message})
    return picture


def _drawn(upload: bytes, size: tuple[int, int], crop: bool, opaque: bool) -> Drawn | None:
    width, height = size
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(upload), formats=_FORMATS) as opened:
                if opened.width * opened.height > PIXELS or min(opened.size) < _SMALLEST:
                    return None
                opened.draft("RGB", (2 * max(size), 2 * max(size)))  # JPEGs are decoded small right away
                upright = ImageOps.exif_transpose(opened)
                clear = "A" in upright.getbands() or "transparency" in upright.info
                picture = upright.convert("RGBA" if clear else "RGB")
    except (
        UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ):  # fmt: skip
        return None
    if crop:
        picture = ImageOps.fit(picture, size, Image.Resampling.LANCZOS)
    else:
        picture.thumbnail((width, height), Image.Resampling.LANCZOS)
    # Pixels alone: what else the file carried (place, camera, profile, comments) stays behind.
    bare = Image.new("RGB" if opaque else picture.mode, picture.size, "white" if opaque else None)
    bare.paste(picture, mask=picture.getchannel("A") if opaque and clear else None)
    made = io.BytesIO()
    bare.save(made, "WEBP", quality=82, method=4)
    return Drawn(made.getvalue(), bare.width, bare.height)
