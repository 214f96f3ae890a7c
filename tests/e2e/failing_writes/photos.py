"""The writes of photos of needs, listings and posts."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, answer_file_chooser, choose_file, fill, named, press

_NEEDS = "main-web/features/angels/needs/api"
_LISTINGS = "main-web/features/listings/api"
_PHOTOS = "/skills/offers/[^/]+/photos"
_EDITOR = "[role=group][aria-label^='Photos of']"
_NEED = "SELECT id::text FROM needs WHERE title = 'The garden gate no longer closes' LIMIT 1"
_POST = (
    "SELECT t.id::text FROM posts t JOIN gurus g ON g.id = t.tenant_id"
    " WHERE g.label = 'cooking' AND t.status = 'published' ORDER BY t.id LIMIT 1"
)
# After an error, "Try again" sends the photo that was chosen.
_ADD = re.compile("^(Try again|Add photos|Add more photos)$")

PHOTOS = (
    Write(
        f"{_NEEDS}/upload-need-photo",
        "POST",
        "/needs/[^/]+/photos",
        "asker",
        "/needs/{}",
        named(_ADD, inside="main"),
        (answer_file_chooser,),
        example=_NEED,
    ),
    Write(
        f"{_NEEDS}/delete-need-photo",
        "DELETE",
        "/needs/[^/]+/photos/[^/]+",
        "asker",
        "/needs/{}",
        named("Remove photo 1"),
        (answer_file_chooser, press(_ADD)),
        example=_NEED,
    ),
    Write(
        f"{_LISTINGS}/upload-listing-photo",
        "POST",
        _PHOTOS,
        "neighbor",
        "/skills/mine",
        named(_ADD, inside=_EDITOR),
        (press("Edit Sourdough baking"), answer_file_chooser),
    ),
    Write(
        f"{_LISTINGS}/update-listing-photos",
        "PUT",
        _PHOTOS,
        "guru",
        "/skills/mine",
        named("Move photo 1 down"),
        (press("Edit Everyday home cooking"),),
    ),
    Write(
        f"{_LISTINGS}/delete-listing-photo",
        "DELETE",
        f"{_PHOTOS}/[^/]+",
        "neighbor",
        "/skills/mine",
        named("Remove photo 1"),
        (press("Edit Sourdough baking"),),
    ),
    Write(
        "main-web/features/console/posts/api/upload-image",
        "POST",
        "/guru/images",
        "guru",
        "/guru/posts/{}",
        named("Add picture"),
        (choose_file("Image file"), fill("Describe the picture", "A loaf, cut open on a board")),
        example=_POST,
    ),
)
