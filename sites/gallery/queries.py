"""Reading the pictures of a guru's site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sites.image_paths import image_path, source_set, thumbnail_path

_PICTURE_SQL = """
json_build_object('place', p.place, 'id', p.image_id, 'width', i.width, 'height', i.height, 'alt', p.alt,
  'focusX', p.focus_x, 'focusY', p.focus_y, 'preview', i.preview)"""
_FROM_SQL = """
FROM gallery_pictures p JOIN site_images i ON i.tenant_id = p.tenant_id AND i.id = p.image_id"""

# The hero picture and the gallery as a JSON array: part of the statement of each page that shows them.
GALLERY_SQL = f"""
(SELECT coalesce(json_agg({_PICTURE_SQL} ORDER BY p.position), '[]') {_FROM_SQL}
  WHERE p.tenant_id = %(tenant)s AND p.place <> 'service')"""
# The pictures of the service `s` as a JSON array: part of the statement that reads services.
SERVICE_PICTURES_SQL = f"""
(SELECT coalesce(json_agg({_PICTURE_SQL} ORDER BY p.position), '[]') {_FROM_SQL}
  WHERE p.tenant_id = s.tenant_id AND p.service_id = s.id)"""


def picture(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a stored picture to the API's form (PictureResponse)."""
    image_id, width = stored["id"], stored["width"]
    kept = ("width", "height", "alt", "focusX", "focusY", "preview")
    paths = {
        "path": image_path(image_id),
        "src": thumbnail_path(image_id),
        "srcset": source_set(image_id, width),
    }
    return paths | {name: stored[name] for name in kept}


def gallery(stored: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the value of GALLERY_SQL in the API's form (GalleryResponse)."""
    hero = next((one for one in stored if one["place"] == "hero"), None)
    return {
        "hero": picture(hero) if hero else None,
        "pictures": [picture(one) for one in stored if one["place"] == "gallery"],
    }
