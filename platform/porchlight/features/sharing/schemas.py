"""Schemas of sharing a site."""

from __future__ import annotations

from typing import Literal

from tenants.kit.schemas import ResponseModel

Paper = Literal["letter", "a5"]


class SiteQrCode(ResponseModel):
    """The QR code of a site's address: `size` by `size` squares. `path` draws the dark ones, as SVG path data."""

    address: str
    size: int
    path: str


class SiteQrCodeResponse(ResponseModel):
    """The response of GET /api/guru/qr-code."""

    success: bool
    data: SiteQrCode
