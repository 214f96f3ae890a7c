"""Request and response schemas of reports."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.reports.subjects import SubjectState
from sites.reports.schemas import ReportKind, ReportWords
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

Outcome = Literal["acted", "dismissed"]


class ReportPayload(ReportWords):
    """A report.

    `name`: a site's label, a post's "label/slug", a profile's handle, or the id of a listing or a review.
    """

    kind: Literal["site", "post", "profile", "listing", "review"]
    name: Annotated[str, StringConstraints(min_length=1, max_length=200), ONE_LINE] = Field(examples=["cooking"])


class ReportResponse(ResponseModel):
    """The response of POST /api/reports."""

    success: bool
    message: str


class ResolutionPayload(Payload):
    """The resolution of a report. `note`: for other admins."""

    outcome: Outcome
    note: Annotated[str, StringConstraints(max_length=2000), PRINTABLE] = ""


class ReportRow(ResponseModel):
    """A report in the list."""

    id: str
    kind: ReportKind
    name: str
    title: str
    reason: str
    status: Literal["open", "resolved"]
    created_at: str


class ReportPage(ResponseModel):
    """A page of reports, newest first."""

    items: list[ReportRow]
    next_cursor: str | None


class ReportsResponse(ResponseModel):
    """The response of GET /api/admin/reports."""

    success: bool
    data: ReportPage


class ReportedMessage(ResponseModel):
    """A message of a reported thread, as it was then. `files`: their names."""

    author: str
    by_reporter: bool
    body: str
    files: list[str]
    removed: bool
    at: str


class ReportedOwner(ResponseModel):
    """The account that a reported subject belongs to."""

    user_id: str
    email: str
    name: str


class ReportDetail(ReportRow):
    """A report with all details. `also_open`: the number of other open reports about the same subject.

    `evidence`: the last messages of a reported thread. `subject_state`: whether others still see the subject now.
    `owner`: whose it is, or null if the account is deleted.
    """

    subject_id: str
    subject_state: SubjectState
    owner: ReportedOwner | None
    guru: str | None
    details: str
    reporter: str | None
    also_open: int
    outcome: Outcome | None
    note: str
    resolved_by: str
    resolved_at: str | None
    evidence: list[ReportedMessage]


class ReportDetailResponse(ResponseModel):
    """The response of routes about one report."""

    success: bool
    data: ReportDetail
