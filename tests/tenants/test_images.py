"""Uploaded images are decoded within limits and re-encoded."""

from __future__ import annotations

import io

import pillow_heif
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


async def test_preview_has_the_colors_of_each_cell() -> None:
    picture = Image.new("RGB", (400, 300), "#ff0000")
    picture.paste("#0000ff", (200, 100, 400, 300))
    body = io.BytesIO()
    picture.save(body, "PNG")
    encoded = await reencode_image(body.getvalue(), (400, 400), owner="ada", field="photo")
    red, blue = "f00", "00f"
    assert encoded.preview == red * 4 + (red * 2 + blue * 2) * 2


async def test_transparent_image_has_no_preview() -> None:
    body = png(200, 100, "RGBA")
    encoded = await reencode_image(body, (64, 64), owner="ada", field="photo", opaque=False)
    assert encoded.preview == ""


def _encoded(kind: str, pictures: int = 1, size: tuple[int, int] = (200, 100), **options: object) -> bytes:
    """Return pictures in a format: the first is red, the others blue."""
    first, *others = (Image.new("RGB", size, color) for color in ["red", *["blue"] * (pictures - 1)])
    output = io.BytesIO()
    if kind == "HEIF":
        pillow_heif.register_heif_opener(thumbnails=False)
    animation = {"save_all": True, "append_images": others} if others else {}
    first.save(output, kind, **animation, **options)
    return output.getvalue()


@pytest.mark.parametrize(("kind", "pictures"), [("GIF", 1), ("GIF", 3), ("AVIF", 1), ("AVIF", 3), ("HEIF", 1)])
async def test_photo_of_phone_and_animation_become_a_still(kind: str, pictures: int) -> None:
    encoded = await reencode_image(_encoded(kind, pictures), (64, 64), owner="ada", field="photo")
    with Image.open(io.BytesIO(encoded.data)) as image:
        assert (image.format, image.size, getattr(image, "n_frames", 1)) == ("WEBP", (64, 32), 1)
        pixel = image.convert("RGB").getpixel((30, 16))
    assert isinstance(pixel, tuple)
    red, green, blue = pixel
    assert red > 240
    assert max(green, blue) < 15


async def test_heic_photo_is_upright_without_metadata() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright
    exif[0x010F] = "Camera of Ada"
    encoded = await reencode_image(_encoded("HEIF", exif=exif.tobytes()), (64, 64), owner="ada", field="photo")
    assert (encoded.width, encoded.height) == (32, 64)
    assert b"Ada" not in encoded.data


@pytest.mark.parametrize("kind", ["GIF", "AVIF", "HEIF"])
async def test_cut_or_too_large_photo_is_rejected(kind: str) -> None:
    whole = _encoded(kind)
    too_large = bytearray(_encoded("GIF"))
    too_large[6:10] = b"\xff\xff\xff\xff"  # width and height
    for upload in (whole[: len(whole) // 2], whole[:12], bytes(too_large)):
        with pytest.raises(InvalidImage):
            await reencode_image(upload, (64, 64), owner="ada", field="photo")
