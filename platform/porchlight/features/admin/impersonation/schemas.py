"""Response schemas of impersonation."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class ImpersonationData(ResponseModel):
    """An active impersonation. `writing`: writes are allowed."""

    label: str
    character: str
    writing: bool
    expires_at: str


class ImpersonationResponse(ResponseModel):
    """An impersonation that was started or changed now."""

    success: bool
    data: ImpersonationData


class CurrentImpersonationResponse(ResponseModel):
    """The active impersonation of an admin session, or null."""

    success: bool
    data: ImpersonationData | None
