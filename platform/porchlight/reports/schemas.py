"""Reports on the wire: what neighbors and visitors send, and what staff see of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from sites.reports.schemas import Kind, ReportWords
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

Outcome = Literal["acted", "dismissed"]


class ReportPayload(ReportWords):
    """A report. `name`: the label of a site, "label/slug" of a post, the handle of a profile."""

    kind: Kind
    name: Annotated[str, StringConstraints(min_length=1, max_length=200), ONE_LINE] = Field(examples=["cooking"])


class ReportAnswer(Answer):
    """The thanks."""

    success: bool
    message: str


class ResolutionPayload(Payload):
    """How staff settled a report: something was done, or nothing had to be. `note` is for colleagues."""

    outcome: Outcome
    note: Annotated[str, StringConstraints(max_length=2000), PRINTABLE] = ""


class ReportRow(Answer):
    """A report as staff see it in the list."""

    id: str
    kind: Kind
    name: str
    title: str
    reason: str
    status: Literal["open", "resolved"]
    created_at: str


class ReportPage(Answer):
    """A page of reports, newest first."""

    items: list[ReportRow]
    next_cursor: str | None


class ReportsAnswer(Answer):
    """All reports, a page at a time."""

    success: bool
    data: ReportPage


class ReportDetail(ReportRow):
    """Everything about a report. `also_open`: other open reports on the same thing."""

    subject_id: str
    guru: str | None
    details: str
    reporter: str | None
    also_open: int
    outcome: Outcome | None
    note: str
    resolved_by: str
    resolved_at: str | None


class ReportDetailAnswer(Answer):
    """One report."""

    success: bool
    data: ReportDetail
