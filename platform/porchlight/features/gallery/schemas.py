"""Request and response schemas of the guru's pictures."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from sites.gallery.actions import MAX_PICTURES
from sites.gallery.models import Place
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

MAX_ALT_LENGTH = 200
MAX_ID_LENGTH = 36
MAX_REVISION_LENGTH = 64
Percent = Annotated[int, Field(ge=0, le=100)]


class PicturePayload(Payload):
    """A picture to show. `serviceId`: for the place "service". `focusX`, `focusY`: as in PictureResponse."""

    place: Place
    service_id: Annotated[str, StringConstraints(max_length=MAX_ID_LENGTH), ONE_LINE] | None = None
    image_id: Annotated[str, StringConstraints(max_length=MAX_ID_LENGTH), ONE_LINE]
    alt: Annotated[str, StringConstraints(min_length=1, max_length=MAX_ALT_LENGTH), ONE_LINE]
    focus_x: Percent = 50
    focus_y: Percent = 50


class GalleryPayload(Payload):
    """All pictures of the site, in order. `revision`: the revision that the changes are based on."""

    revision: Annotated[str, StringConstraints(max_length=MAX_REVISION_LENGTH), ONE_LINE]
    pictures: Annotated[list[PicturePayload], Field(max_length=MAX_PICTURES)]


class ConsolePicture(ResponseModel):
    """A picture at a place of the site. `address` and `thumbnail`: absolute URLs. `preview`: see PictureResponse."""

    place: Place
    service_id: str | None
    image_id: str
    address: str
    thumbnail: str
    width: int
    height: int
    preview: str
    alt: str
    focus_x: int
    focus_y: int


class PictureService(ResponseModel):
    """A service that can show pictures."""

    id: str
    name: str


class PictureLimits(ResponseModel):
    """The most pictures of each place; of services, for each."""

    hero: int
    gallery: int
    service: int
    all: int


class ConsoleGallery(ResponseModel):
    """All pictures of the site, the services that can show some, and the revision that the next save must name."""

    pictures: list[ConsolePicture]
    services: list[PictureService]
    limits: PictureLimits
    revision: str


class ConsoleGalleryResponse(ResponseModel):
    """The response of GET and PUT /api/guru/gallery."""

    success: bool
    data: ConsoleGallery
