"""Response schemas of listings for admins."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class ListingRow(ResponseModel):
    """A listing. `status`: listed, private (by the owner's privacy settings), or hidden (by an admin)."""

    id: str
    title: str
    level: str | None
    owner_id: str
    owner_name: str
    status: str
    created_at: str


class ListingPage(ResponseModel):
    """A page of listings, newest first."""

    items: list[ListingRow]
    next_cursor: str | None


class ListingsResponse(ResponseModel):
    """A page of listings."""

    success: bool
    data: ListingPage


class AdminListingPhoto(ResponseModel):
    """A photo of a listing with its alternative text."""

    path: str
    alt: str


class ListingDetail(ListingRow):
    """A listing with all details."""

    details: str
    formats: list[str]
    terms: list[str]
    price_cents: int | None
    currency: str
    owner_status: str
    hidden_reason: str
    reports: int
    photos: list[AdminListingPhoto]


class ListingResponse(ResponseModel):
    """A listing."""

    success: bool
    data: ListingDetail
