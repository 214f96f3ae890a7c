"""Paths of a guru's images on their host."""

from __future__ import annotations

import re
from uuid import UUID

MAX_WIDTH = 1600  # of stored images: wider ones are scaled down
THUMBNAIL_WIDTH = 640  # of the covers on cards, as WebP
PICTURE_WIDTHS = (320, 480, 640, 960, 1280)  # of thumbnails, tiles, phones and large screens, as AVIF
# `size` is empty for the whole image; else it ends with the file type, such as "960.avif". Snapshots and open tabs of
# former releases ask for 768.
IMAGE_PATH = re.compile(
    r"/images/(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    r"(?:\.webp|-(?P<size>640\.webp|(?:320|480|640|768|960|1280)\.avif))"
)


def image_path(image_id: UUID | str) -> str:
    """Return the path of an image on its guru's host."""
    return f"/images/{image_id}.webp"


def thumbnail_path(image_id: UUID | str) -> str:
    """Return the path of an image scaled down for cards."""
    return f"/images/{image_id}-{THUMBNAIL_WIDTH}.webp"


def source_set(image_id: UUID | str, width: int) -> str:
    """Return the `srcset` of an image that is `width` pixels wide, as AVIF: all smaller sizes, and the next one."""
    sizes = [size for size in PICTURE_WIDTHS if size < width] + [size for size in PICTURE_WIDTHS if size >= width][:1]
    return ", ".join(f"/images/{image_id}-{size}.avif {min(size, width)}w" for size in sizes)
