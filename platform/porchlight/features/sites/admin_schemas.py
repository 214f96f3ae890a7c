"""Response schemas of guru sites for admins."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class SiteRow(ResponseModel):
    """A guru's site with its owner and statistics."""

    id: str
    label: str
    character: str
    status: str
    owner_email: str
    owner_name: str
    owner_id: str | None
    domains: list[str]
    posts: int
    views: int
    monthly_visitors: int
    leads: int
    open_reports: int
    created_at: str


class SitePage(ResponseModel):
    """A page of sites, newest first."""

    items: list[SiteRow]
    next_cursor: str | None


class TenantsResponse(ResponseModel):
    """A page of sites."""

    success: bool
    data: SitePage


class TenantResponse(ResponseModel):
    """A site."""

    success: bool
    data: SiteRow
