"""Sharing a site: the QR code of its address, and a flyer to print."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Query, Response

from porchlight.console_context import CurrentConsole
from porchlight.features.sharing.qr_code import qr_code
from porchlight.features.sharing.schemas import Paper, SiteQrCode, SiteQrCodeResponse
from sites.guru import valid_color
from sites.guru_profile.actions import guru_row
from tenants.http.routes import FeatureRouter, StrictRoute

router = FeatureRouter(prefix="/api/guru", tags=["site"], route_class=StrictRoute)


@router.get(
    "/qr-code", response_model=SiteQrCodeResponse, operation_id="get_site_qr_code", summary="Get my site's QR code"
)
async def get_site_qr_code(console: CurrentConsole) -> SiteQrCodeResponse:
    """Return the QR code of the site's address."""
    origin = await console.site_origin()
    code = qr_code(f"{origin}/")
    data = SiteQrCode(address=origin, size=code.size, path=code.path)
    return SiteQrCodeResponse(success=True, data=data)


@router.get(
    "/flyer",
    operation_id="get_site_flyer",
    summary="Get my site's flyer",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "A PDF of one page."}},
)
async def get_site_flyer(
    console: CurrentConsole, paper: Annotated[Paper, Query(description="The size of the page.")] = "letter"
) -> Response:
    """Return a flyer to print: name, tagline, QR code and address of the site."""
    from porchlight.features.sharing.flyer import render_flyer  # reportlab takes 8 MB, and few workers draw a flyer

    async with console.unit_of_work() as session:
        guru = await guru_row(session, console.tenant_id)
    origin = await console.site_origin()
    flyer = await asyncio.to_thread(
        render_flyer,
        name=guru.character,
        headline=guru.tagline,
        url=f"{origin}/",
        address=origin.split("://", 1)[1],
        color=valid_color(guru.primary_color, 0),
        paper=paper,
    )
    headers = {
        "content-disposition": f'attachment; filename="{console.guru.label}-flyer.pdf"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(flyer, media_type="application/pdf", headers=headers)
