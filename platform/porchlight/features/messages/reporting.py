"""Reports of threads: the staff get the last messages as they were, and no access to the thread."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from porchlight.auth.staff import FeatureDisabled
from porchlight.dependencies import AppContext, AuthenticatedUser
from porchlight.features.messages import queries
from porchlight.features.messages.schemas import ThreadReportPayload
from sites.reports import actions as reports
from tenants.kit import clock
from tenants.kit.schemas import MessageResponse

MAX_EVIDENCE = 10  # messages, as the form says


async def report_thread(
    context: AppContext,
    user: AuthenticatedUser,
    thread_id: UUID,
    payload: ThreadReportPayload,
    key: str | None,
    address: str,
) -> tuple[MessageResponse, bool]:
    """Report a thread with its last messages. Return the answer, and whether it is no resend. Raises NotFound."""
    if not await context.flags.on("systemReports"):
        raise FeatureDisabled
    row = await queries.thread(context.db, user.user_id, thread_id)
    rows, _ = await queries.messages(context.db, user.user_id, thread_id, None)
    reporter = reports.reporter(context.settings.address_secret, address, user.user_id, is_verified=user.email_verified)
    is_new = await reports.create_report(
        context.db,
        ("thread", str(thread_id)),
        payload,
        reporter=reporter,
        secret=context.settings.address_secret,
        limit=None if context.settings.limits == "off" else reports.REPORTS_PER_HOUR,
        key=key,
        evidence=evidence(rows, user.user_id, row.shown_name or queries.UNKNOWN_NAME),
    )
    return MessageResponse(success=True, message=reports.THANKS), is_new


def evidence(rows: list[queries.MessageRow], reporter_id: UUID, other_name: str) -> list[dict[str, Any]]:
    """Return the last messages as staff see them: who wrote what, when, and the names of files."""
    return [
        {
            "author": "Reporter" if row.sender_id == reporter_id else other_name,
            "authorId": str(row.sender_id),
            "byReporter": row.sender_id == reporter_id,
            "body": row.body,
            "files": [file["name"] for file in row.files],
            "removed": row.removed_at is not None,
            "at": clock.to_iso8601(row.created_at),
        }
        for row in rows[-MAX_EVIDENCE:]
    ]
