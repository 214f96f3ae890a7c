"""The admin calls on the wire."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import StringConstraints

from tenants.kit.schemas import PRINTABLE, Answer, Payload


class LoginPayload(Payload):
    """The admin key."""

    key: Annotated[str, StringConstraints(min_length=1, max_length=512)]


class ReasonPayload(Payload):
    """Why staff do what they do; may be empty."""

    reason: Annotated[str, StringConstraints(max_length=1000), PRINTABLE] = ""


class Done(Answer):
    """It is done."""

    success: bool


class Total(Answer):
    """A counter."""

    total: int


class Dashboard(Answer):
    """SPEC 3, dashboard summary."""

    users: Total
    listings: Total
    sessions: Total
    reports: Total


class DashboardAnswer(Answer):
    """The four counters of the overview."""

    success: bool
    data: Dashboard


class SiteRow(Answer):
    """A guru's site as staff see it in the list."""

    id: str
    label: str
    character: str
    status: str
    owner_email: str
    domains: list[str]
    posts: int
    views: int
    monthly_visitors: int
    leads: int
    created_at: str


class SitePage(Answer):
    """A page of sites, newest first."""

    items: list[SiteRow]
    next_cursor: str | None


class SitesAnswer(Answer):
    """All tenants, a page at a time."""

    success: bool
    data: SitePage


class SiteAnswer(Answer):
    """One tenant."""

    success: bool
    data: SiteRow


class AuditRow(Answer):
    """An act."""

    id: int
    at: str
    actor: str
    action: str
    subject_kind: str
    subject_id: str
    details: dict[str, Any]


class AuditPage(Answer):
    """A page of acts, newest first."""

    items: list[AuditRow]
    next_cursor: str | None


class AuditAnswer(Answer):
    """The log of acts, a page at a time."""

    success: bool
    data: AuditPage
