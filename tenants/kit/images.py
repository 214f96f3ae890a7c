"""Uploaded images: decoded within limits and re-encoded, so that only pixels are stored."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageOps, UnidentifiedImageError

from tenants.kit import image_converter, timeouts
from tenants.kit.colors import to_8_bit, to_srgb
from tenants.kit.errors import TooLarge, ValidationFailed
from tenants.kit.fair_queue import Budget, FairQueue

MAX_UPLOAD_BYTES = 8 * 1024 * 1024
MAX_PIXELS = 40_000_000  # a larger image is not decoded: a small file can expand to gigabytes
# The OpenAPI description of a request body that is an image.
IMAGE_REQUEST_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            f"image/{content_type}": {"schema": {"type": "string", "format": "binary"}}
            for content_type in ("jpeg", "png", "webp", "gif", "avif", "heic")
        },
    }
}
# Headers of every image response, beside its caching: a browser treats it as an image and never guesses from the bytes.
IMAGE_RESPONSE_HEADERS = {"x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'"}
PREVIEW_GRID = (4, 3)  # columns and rows of a preview
_MIN_SIDE_PIXELS = 16
_FORMATS = ("JPEG", "PNG", "WEBP")
# Decoded in a process of their own. HEIC has many brands, and AVIF two.
_GIF_MARKS = (b"GIF87a", b"GIF89a")
_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
_decoding = FairQueue(2)  # decoding one image takes up to 160 MB
_budget = Budget(120)  # a profile photo can be replaced any number of times


class InvalidImage(ValidationFailed):
    """An upload that is not a supported image."""

    message = "Please choose a JPEG, PNG, WebP, GIF, AVIF or HEIC image up to 8 MB and 40 megapixels."


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """An image as WebP, with its size in pixels. `preview`: see `preview_of`."""

    data: bytes
    width: int
    height: int
    preview: str


async def reencode_image(
    upload: bytes, size: tuple[int, int], *, owner: Hashable, field: str, crop: bool = False, opaque: bool = True
) -> EncodedImage:
    """Re-encode an uploaded image: upright, without metadata, at most `size` (width and height in pixels).

    `crop` fills `size` exactly and cuts off the rest; `opaque` replaces transparency by white. Owners of uploads take
    turns. Raise TooLarge, TooManyUploads, TooManyThisHour, and InvalidImage, which names `field`.
    """
    if len(upload) > MAX_UPLOAD_BYTES:
        raise TooLarge
    _budget.take(owner)
    async with _decoding.turn(owner):
        known = await _convert(upload) if _is_foreign(upload) else upload
        image = await asyncio.to_thread(_reencode, known, size, crop, opaque) if known else None
    if image is None:
        raise InvalidImage(fields={field: InvalidImage.message})
    return image


def _is_foreign(upload: bytes) -> bool:
    """Return whether an upload says that it is a GIF, AVIF or HEIC image."""
    return upload.startswith(_GIF_MARKS) or (upload[4:8] == b"ftyp" and upload[8:12] in _BRANDS)


async def _convert(upload: bytes) -> bytes | None:
    """Return an image as WebP, which another process decodes; None if it cannot."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-m", image_converter.__name__, str(MAX_PIXELS),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, env={},
    )  # fmt: skip
    try:
        async with asyncio.timeout(timeouts.current.clean_file_seconds):
            converted, _ = await process.communicate(upload)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return converted if process.returncode == 0 else None


def _reencode(upload: bytes, size: tuple[int, int], crop: bool, opaque: bool) -> EncodedImage | None:
    width, height = size
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(upload), formats=_FORMATS) as opened:
                if opened.width * opened.height > MAX_PIXELS or min(opened.size) < _MIN_SIDE_PIXELS:
                    return None
                opened.draft("RGB", (2 * max(size), 2 * max(size)))  # decodes a JPEG at a reduced size
                upright = ImageOps.exif_transpose(opened)
                is_transparent = "A" in upright.getbands() or "transparency" in upright.info
                profile = opened.info.get("icc_profile")
                image = to_srgb(to_8_bit(upright), profile, transparent=is_transparent)
    except (
        UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ):  # fmt: skip
        return None
    if crop:
        image = ImageOps.fit(image, size, Image.Resampling.LANCZOS)
    else:
        image.thumbnail((width, height), Image.Resampling.LANCZOS)
    # Copy the pixels alone: location, camera and comments of the file are dropped.
    pixels = Image.new("RGB" if opaque else image.mode, image.size, "white" if opaque else None)
    pixels.paste(image, mask=image.getchannel("A") if opaque and is_transparent else None)
    output = io.BytesIO()
    pixels.save(output, "WEBP", quality=82, method=4)
    return EncodedImage(output.getvalue(), pixels.width, pixels.height, preview_of(pixels))


def preview_of(image: Image.Image) -> str:
    """Return the image's colors in a grid, row by row, with 4 bits for each of red, green and blue, in hexadecimal.

    A page draws them, blurred, until the image has loaded. Empty for an image with transparency.
    """
    if image.mode != "RGB":
        return ""
    grid = image.resize(PREVIEW_GRID, Image.Resampling.BOX)
    return "".join(f"{channel >> 4:x}" for channel in grid.tobytes())
