"""The emails about a connected calendar that cannot be read: after a day, and when the guru has to decide."""

from __future__ import annotations

from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.busy_sources.failures import SENTENCES, Failure
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import EmailMessage
from sites.hours.busy_sources import ASKS_GURU, SourceState
from tenants.db.rows import Connection, fetch_value

TEMPLATES = EmailTemplates("porchlight.features.busy_sources", {"source_failing": MailKind.CALENDARS})
_OWNER = "SELECT user_id, email, email_verified, name FROM app.job_contacts()"
_ZONE = "SELECT zone FROM calendars WHERE tenant_id = %s"
_WHY = "You're receiving this because you connected a calendar to your hours."


def source_failing_email(
    conn: Connection,
    jobs: JobDependencies,
    tenant_id: UUID,
    source_id: UUID,
    state: SourceState,
    number: int,
    failure: Failure,
) -> EmailMessage | None:
    """Return email `number` about a source that fails, or None if the guru has no account.

    In a transaction of the job busy_sources:read only.
    """
    owner = conn.execute(_OWNER).fetchone()
    opt_out = find_opt_out(conn, MailKind.CALENDARS, None, jobs.main_origin)
    if owner is None:
        return None
    user_id, address, is_verified, name = owner
    zone = ZoneInfo(fetch_value(conn, str, _ZONE, [tenant_id]) or "UTC")
    last = state.last_good_at or state.failing_since
    local = last.astimezone(zone)
    return TEMPLATES.create_message(
        "source_failing",
        key=f"busy-source-{source_id}-{int(state.failing_since.timestamp())}-{number}",
        tenant_id=tenant_id,
        to=Recipient(address, is_verified, person=user_id),
        name=name or "",
        why=_WHY,
        action=Action("Open connected calendars", f"{jobs.main_origin}/guru/hours#connected-calendars"),
        notice="We can't read one of your connected calendars",
        opt_out=opt_out,
        words={"calendar": state.name},
        facts={
            "since": f"{local:%A, %B} {local.day}",
            "reason": SENTENCES[failure],
            "asks": number >= ASKS_GURU,
        },
    )
