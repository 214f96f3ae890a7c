"""Paths of a guru's images on their host."""

from __future__ import annotations

import re
from uuid import UUID

# `width` is empty for the whole image.
IMAGE_PATH = re.compile(r"/images/(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-(?P<width>640))?\.webp")
THUMBNAIL_WIDTH = 640  # of the covers on cards


def image_path(image_id: UUID) -> str:
    """Return the path of an image on its guru's host."""
    return f"/images/{image_id}.webp"


def thumbnail_path(image_id: UUID) -> str:
    """Return the path of an image scaled down for cards."""
    return f"/images/{image_id}-{THUMBNAIL_WIDTH}.webp"
