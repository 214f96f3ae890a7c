"""Request and response schemas of admin sign-in and the dashboard."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from tenants.kit.schemas import Payload, ResponseModel


class LoginPayload(Payload):
    """The admin key."""

    key: Annotated[str, StringConstraints(min_length=1, max_length=512)]


class AdminSessionData(ResponseModel):
    """The key of an admin session: its holder's name, or for a `shared` key a name that does not reveal it."""

    name: str
    shared: bool


class AdminSessionResponse(ResponseModel):
    """An admin session."""

    success: bool
    data: AdminSessionData


class RowCountResponse(ResponseModel):
    """A row count."""

    total: int


class Dashboard(ResponseModel):
    """The row counts of the dashboard (SPEC 3, dashboard summary)."""

    users: RowCountResponse
    listings: RowCountResponse
    sessions: RowCountResponse
    reports: RowCountResponse


class DashboardResponse(ResponseModel):
    """The dashboard."""

    success: bool
    data: Dashboard
