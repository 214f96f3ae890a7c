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


class NeededReasonPayload(Payload):
    """Why staff do what they do, where nobody may do it without a reason."""

    reason: Annotated[str, StringConstraints(min_length=1, max_length=1000), PRINTABLE]


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
    owner_name: str
    owner_id: str | None
    domains: list[str]
    posts: int
    views: int
    monthly_visitors: int
    leads: int
    open_reports: int
    created_at: str


class SitePage(Answer):
    """A page of sites, newest first."""

    items: list[SiteRow]
    next_cursor: str | None


class TenantsAnswer(Answer):
    """All tenants, a page at a time."""

    success: bool
    data: SitePage


class TenantAnswer(Answer):
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


class AuditState(Answer):
    """Whether every link of the log holds; `fault` says in a sentence what does not."""

    whole: bool
    entries: int
    fault: str | None


class AuditStateAnswer(Answer):
    """The log, verified."""

    success: bool
    data: AuditState


class PersonRow(Answer):
    """A neighbor as staff see them in the list. `guru`: the label of their site, if they have one."""

    id: str
    display_name: str
    handle: str
    email: str
    status: str
    guru: str | None
    created_at: str


class PeoplePage(Answer):
    """A page of neighbors, newest first."""

    items: list[PersonRow]
    next_cursor: str | None


class PeopleAnswer(Answer):
    """All neighbors, a page at a time."""

    success: bool
    data: PeoplePage


class PersonDetail(PersonRow):
    """Everything staff need to know of one neighbor."""

    email_verified: bool
    bio: str
    location: str
    skills_offered: list[str]
    skills_wanted: list[str]
    public_profile: bool
    open_sessions: int
    last_seen_at: str | None
    suspended_at: str | None
    suspended_reason: str
    site_status: str | None
    reports: int


class PersonAnswer(Answer):
    """One neighbor."""

    success: bool
    data: PersonDetail


class ExchangeRow(Answer):
    """A session that two neighbors booked."""

    id: str
    title: str
    status: str
    starts_at: str


class ExchangePage(Answer):
    """A page of booked sessions, newest first."""

    items: list[ExchangeRow]
    next_cursor: str | None


class ExchangesAnswer(Answer):
    """All booked sessions, a page at a time."""

    success: bool
    data: ExchangePage


class Look(Answer):
    """As which guru staff look; `writing` when changes are allowed."""

    label: str
    character: str
    writing: bool
    expires_at: str


class LookAnswer(Answer):
    """The living look of a staff session, or null."""

    success: bool
    data: Look | None


class ListingRow(Answer):
    """A listing as staff see it. `status`: listed, private (its owner shows no skills), or hidden by staff."""

    id: str
    title: str
    level: str | None
    owner_id: str
    owner_name: str
    status: str
    created_at: str


class ListingPage(Answer):
    """A page of listings, newest first."""

    items: list[ListingRow]
    next_cursor: str | None


class ListingsAnswer(Answer):
    """All listings, a page at a time."""

    success: bool
    data: ListingPage


class ListingPicture(Answer):
    """A photo of a listing, and what its owner says is to be seen on it."""

    path: str
    alt: str


class ListingDetail(ListingRow):
    """Everything about one listing."""

    details: str
    formats: list[str]
    terms: list[str]
    price_cents: int | None
    currency: str
    owner_status: str
    hidden_reason: str
    reports: int
    photos: list[ListingPicture]


class ListingAnswer(Answer):
    """One listing."""

    success: bool
    data: ListingDetail
