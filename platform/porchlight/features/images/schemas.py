"""Request and response schemas of the images of a guru's site."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class ConsoleImage(ResponseModel):
    """An image. `path`: for posts, on the guru's host; `address`, `thumbnail`: absolute URLs.

    `preview`: see PictureResponse.
    """

    id: str
    path: str
    address: str
    thumbnail: str
    width: int
    height: int
    size: int
    preview: str
    created_at: str


class ConsoleImageResponse(ResponseModel):
    """The response of POST /api/guru/images."""

    success: bool
    data: ConsoleImage


class ConsoleImagePage(ResponseModel):
    """A page of images, newest first."""

    images: list[ConsoleImage]
    next_cursor: str | None


class ConsoleImagesResponse(ResponseModel):
    """The response of GET /api/guru/images."""

    success: bool
    data: ConsoleImagePage
