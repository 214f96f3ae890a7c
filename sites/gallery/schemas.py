"""The schemas of pictures on a guru's site."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class PictureResponse(ResponseModel):
    """A picture: its paths on the guru's host, its size in pixels, and what is seen on it.

    `src` is a medium size as WebP, `srcset` names all as AVIF. `focusX` and `focusY`: the point that every crop
    keeps, in percent. `preview`: a grid of 4 by 3 colors, 3 hexadecimal digits each, to show until the picture has
    loaded, or "".
    """

    path: str
    src: str
    srcset: str
    width: int
    height: int
    alt: str
    focus_x: int
    focus_y: int
    preview: str


class GalleryResponse(ResponseModel):
    """The hero picture, or null, and the gallery in the guru's order."""

    hero: PictureResponse | None
    pictures: list[PictureResponse]
