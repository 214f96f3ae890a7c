"""Pictures that people send are decoded within limits and drawn anew."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tenants.kit.errors import TooLarge
from tenants.kit.pictures import LARGEST, PIXELS, NotAPicture, drawn_anew


def png(width: int, height: int, mode: str = "1") -> bytes:
    made = io.BytesIO()
    Image.new(mode, (width, height)).save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize("size", [(PIXELS // 5_000 + 1, 5_000), (15, 400)])
async def test_more_pixels_than_we_decode_and_fewer_than_show_anything_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(NotAPicture) as refused:
        await drawn_anew(png(*size), (64, 64), field="photo")
    assert refused.value.fields == {"photo": NotAPicture.message}


async def test_more_bytes_than_we_take_are_refused() -> None:
    with pytest.raises(TooLarge):
        await drawn_anew(bytes(LARGEST + 1), (64, 64), field="photo")


@pytest.mark.parametrize(
    ("crop", "opaque", "size", "mode"),
    [(True, True, (64, 64), "RGB"), (False, True, (64, 32), "RGB"), (False, False, (64, 32), "RGBA")],
)
async def test_size_and_ground_are_as_asked(crop: bool, opaque: bool, size: tuple[int, int], mode: str) -> None:
    drawn = await drawn_anew(png(200, 100, "RGBA"), (64, 64), field="photo", crop=crop, opaque=opaque)
    with Image.open(io.BytesIO(drawn.data)) as picture:
        assert (picture.format, picture.size, picture.mode) == ("WEBP", size, mode)
        assert (drawn.width, drawn.height) == size
        ground = picture.convert("RGBA").getpixel((5, 5))
    assert ground == ((255, 255, 255, 255) if opaque else (0, 0, 0, 0))
