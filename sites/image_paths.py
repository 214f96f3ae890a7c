"""Paths of a guru's images on their host."""

from __future__ import annotations

import re
from uuid import UUID

# Images are also served scaled down to these widths: of thumbnails, of cards, and of phones.
SCALED_WIDTHS = (320, 640, 1080)
THUMBNAIL_WIDTH = 640  # of the covers on cards
# `width` is empty for the whole image.
IMAGE_PATH = re.compile(
    r"/images/(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-(?P<width>"
    + "|".join(str(width) for width in SCALED_WIDTHS)
    + r"))?\.webp"
)


def image_path(image_id: UUID | str) -> str:
    """Return the path of an image on its guru's host."""
    return f"/images/{image_id}.webp"


def scaled_path(image_id: UUID | str, width: int) -> str:
    """Return the path of an image scaled down to one of SCALED_WIDTHS, in pixels."""
    return f"/images/{image_id}-{width}.webp"


def thumbnail_path(image_id: UUID | str) -> str:
    """Return the path of an image scaled down for cards."""
    return scaled_path(image_id, THUMBNAIL_WIDTH)


def source_set(image_id: UUID | str, width: int) -> str:
    """Return the `srcset` of an image that is `width` pixels wide: its scaled sizes, and the whole image."""
    scaled = [f"{scaled_path(image_id, size)} {size}w" for size in SCALED_WIDTHS if size < width]
    return ", ".join([*scaled, f"{image_path(image_id)} {width}w"])
