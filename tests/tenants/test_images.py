"""Uploaded images are decoded within limits and re-encoded."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tenants.kit.errors import TooLarge
from tenants.kit.images import MAX_PIXELS, MAX_UPLOAD_BYTES, InvalidImage, reencode_image
from tests.fixtures.images import png


@pytest.mark.parametrize("size", [(MAX_PIXELS // 5_000 + 1, 5_000), (15, 400)])
async def test_image_with_too_many_or_few_pixels_is_rejected(size: tuple[int, int]) -> None:
    with pytest.raises(InvalidImage) as error:
        await reencode_image(png(*size), (64, 64), owner="ada", field="photo")
    assert error.value.fields == {"photo": InvalidImage.message}


async def test_image_over_size_limit_is_rejected() -> None:
    with pytest.raises(TooLarge):
        await reencode_image(bytes(MAX_UPLOAD_BYTES + 1), (64, 64), owner="ada", field="photo")


@pytest.mark.parametrize(
    ("crop", "opaque", "size", "mode"),
    [(True, True, (64, 64), "RGB"), (False, True, (64, 32), "RGB"), (False, False, (64, 32), "RGBA")],
)
async def test_reencode_image_applies_size_and_background(
    crop: bool, opaque: bool, size: tuple[int, int], mode: str
) -> None:
    encoded = await reencode_image(
        png(200, 100, "RGBA"), (64, 64), owner="ada", field="photo", crop=crop, opaque=opaque
    )
    with Image.open(io.BytesIO(encoded.data)) as image:
        assert (image.format, image.size, image.mode) == ("WEBP", size, mode)
        assert (encoded.width, encoded.height) == size
        background = image.convert("RGBA").getpixel((5, 5))
    assert background == ((255, 255, 255, 255) if opaque else (0, 0, 0, 0))
