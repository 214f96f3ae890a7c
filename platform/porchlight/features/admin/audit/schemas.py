"""Response schemas of the audit log."""

from __future__ import annotations

from typing import Any

from tenants.kit.schemas import ResponseModel


class AuditRow(ResponseModel):
    """An audit event."""

    id: int
    at: str
    actor: str
    action: str
    subject_kind: str
    subject_id: str
    details: dict[str, Any]


class AuditPage(ResponseModel):
    """A page of audit events, newest first."""

    items: list[AuditRow]
    next_cursor: str | None


class AuditResponse(ResponseModel):
    """A page of the audit log."""

    success: bool
    data: AuditPage


class AuditState(ResponseModel):
    """The result of the verification. `whole`: every link and signature is valid; else `fault` is the first error."""

    whole: bool
    entries: int
    fault: str | None


class AuditStateResponse(ResponseModel):
    """The result of the verification of the audit log."""

    success: bool
    data: AuditState
