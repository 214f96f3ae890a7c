"""Uploaded pictures keep their colors: profiles are converted, and deep gray is scaled."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image, ImageCms

from tenants.kit.images import reencode_image
from tests.fixtures.color_profiles import display_p3


async def _pixel(image: Image.Image, kind: str, **options: Any) -> tuple[int, ...]:
    """Return the color of an image of one color after its upload."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    encoded = await reencode_image(file.getvalue(), (64, 64), owner="ada", field="photo", opaque=False)
    with Image.open(io.BytesIO(encoded.data)) as stored:
        assert "icc_profile" not in stored.info
        pixel = stored.getpixel((32, 32))
    assert isinstance(pixel, tuple)
    return pixel


def _is_near(color: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(one - two) <= 4 for one, two in zip(color, other, strict=True))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
async def test_color_of_wide_profile_becomes_that_of_srgb(kind: str) -> None:
    """P3's (200, 50, 50) is sRGB's (218, 24, 40): with the profile dropped, it would be duller."""
    color = await _pixel(Image.new("RGB", (64, 64), (200, 50, 50)), kind, icc_profile=display_p3())
    assert _is_near(color, (218, 24, 40)), color


async def test_transparency_is_kept_beside_a_profile() -> None:
    color = await _pixel(Image.new("RGBA", (64, 64), (200, 50, 50, 128)), "PNG", icc_profile=display_p3())
    assert _is_near(color, (218, 24, 40, 128)), color


@pytest.mark.parametrize("profile", [b"broken", ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()])
async def test_profile_that_does_not_fit_is_ignored(profile: bytes) -> None:
    color = await _pixel(Image.new("RGB", (64, 64), (200, 50, 50)), "PNG", icc_profile=profile)
    assert _is_near(color, (200, 50, 50)), color


@pytest.mark.parametrize(("mode", "color"), [("P", 0), ("L", 90), ("LA", (90, 255))])
async def test_palette_and_gray_with_profile_keep_colors(mode: str, color: Any) -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    gray = 0 if mode == "P" else 90
    shown = await _pixel(Image.new(mode, (64, 64), color), "PNG", icc_profile=srgb)
    assert _is_near(shown[:3], (gray,) * 3), shown


@pytest.mark.parametrize(("deep", "shown"), [(0, 0), (32896, 128), (65535, 255)])
async def test_deep_gray_is_scaled(deep: int, shown: int) -> None:
    color = await _pixel(Image.new("I;16", (64, 64), deep), "PNG")
    assert _is_near(color, (shown,) * 3), color
