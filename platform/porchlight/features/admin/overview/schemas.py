"""Response schemas of the admin overview and the failed jobs."""

from __future__ import annotations

from porchlight.contracts import MoneySummary
from tenants.kit.schemas import ResponseModel


class WaitingCount(ResponseModel):
    """How much waits, at most 1,000, and since when the oldest does, if that is known."""

    count: int
    oldest_at: str | None


class DayCounts(ResponseModel):
    """The leads and sign-ups of a day (UTC)."""

    day: str
    leads: int
    sign_ups: int


class AdminOverview(ResponseModel):
    """The queues of staff and what ails. `days`: today first. Failures: of the last 30 days."""

    documents: WaitingCount
    reports: WaitingCount
    risk_reviews: WaitingCount
    days: list[DayCounts]
    failed_emails: int
    failed_jobs: int
    jobs_waiting: WaitingCount
    last_backup_at: str | None
    money: MoneySummary


class AdminOverviewResponse(ResponseModel):
    """The admin overview."""

    success: bool
    data: AdminOverview


class FailedJobs(ResponseModel):
    """The failed jobs of a task. `retryable`: staff can queue them again."""

    task: str
    email: bool
    retryable: bool
    count: int
    first_at: str
    last_at: str


class FailedJobsPage(ResponseModel):
    """The failed jobs of the last 30 days by task, on one page."""

    items: list[FailedJobs]
    next_cursor: str | None


class FailedJobsResponse(ResponseModel):
    """The failed jobs."""

    success: bool
    data: FailedJobsPage


class RetriedJobs(ResponseModel):
    """The number of jobs that were queued again."""

    retried: int


class RetriedJobsResponse(ResponseModel):
    """The jobs that were queued again."""

    success: bool
    data: RetriedJobs
