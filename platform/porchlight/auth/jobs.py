"""Jobs of accounts: what the identity provider must know, and what only it knows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from porchlight.auth.actions import DELETE_IDENTITY_TASK, REVOKE_TOKENS_TASK
from porchlight.auth.emails import sign_in_code_email
from porchlight.auth.sign_in_codes.codes import CODE_TTL, derive_code
from porchlight.auth.suspension import SYNC_STATUS_TASK
from porchlight.job_dependencies import JobDependencies
from porchlight.ports import IdentityEmail, IdentityOutage
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_value
from tenants.db.tasks import Job, ServiceJob, Tasks, UserJob
from tenants.kit import clock
from tenants.kit.logs import log

SYNC_EMAILS_TASK = "auth:sync_emails"
# The provider's links are valid for three days, including the link that undoes a change.
EMAIL_CHANGE_TTL = timedelta(days=4)

_CODE_ADDRESS = "SELECT email FROM sign_in_codes WHERE id = %s AND created_at > %s AND used_at IS NULL"
_ACCOUNT = "SELECT firebase_uid, status FROM users WHERE user_id = %s"
_PENDING = "SELECT * FROM app.job_rows(NULL) AS (user_id uuid, firebase_uid text, requested_at timestamptz)"
_UPDATE_EMAIL = """
UPDATE users SET email = %s, email_verified = %s, updated_at = app.now()
 WHERE user_id = %s AND status = 'active' AND (email <> %s OR email_verified <> %s)"""
_CLEAR_EXPIRED = "UPDATE users SET email_change_asked_at = NULL WHERE user_id = %s AND email_change_asked_at <= %s"


class IdentityAccount(NamedTuple):
    """An account at the identity provider."""

    firebase_uid: str
    status: str


class EmailChange(NamedTuple):
    """An account whose email address may have changed at the identity provider, which does not notify us."""

    user_id: UUID
    firebase_uid: str
    requested_at: datetime


TASKS = Tasks("auth")


@TASKS.service_task("auth:send_code")  # app.add_sign_in_code enqueues it
def send_code(job: ServiceJob, jobs: JobDependencies, code_id: UUID) -> None:
    """Email a sign-in code, unless it has expired while the mail server was away."""
    with job.transaction() as conn:
        email = fetch_value(conn, str, _CODE_ADDRESS, [code_id, clock.now() - CODE_TTL])
    if email is not None:
        digits = derive_code(jobs.sign_in_secret, code_id, email)
        jobs.mailer.send(sign_in_code_email(code_id, email, digits, jobs.main_origin))


@TASKS.user_task(DELETE_IDENTITY_TASK)
async def delete_identity(job: UserJob, jobs: JobDependencies) -> None:
    """Delete the account at the identity provider, if it is erased here."""
    account = await job.run(_get_account, job.user_id)
    if jobs.identity is not None and account is not None and account.status == "erased":
        await jobs.identity.delete(account.firebase_uid)


@TASKS.user_task(REVOKE_TOKENS_TASK)
async def revoke_tokens(job: UserJob, jobs: JobDependencies) -> None:
    """End all sign-ins of the account at the identity provider."""
    account = await job.run(_get_account, job.user_id)
    if jobs.identity is not None and account is not None:
        await jobs.identity.revoke(account.firebase_uid)


@TASKS.user_task(SYNC_STATUS_TASK)
async def sync_status(job: UserJob, jobs: JobDependencies) -> None:
    """Disable or enable the account at the provider, as the row says now and not at the enqueuing."""
    account = await job.run(_get_account, job.user_id)
    while jobs.identity is not None and account is not None and account.status != "erased":
        await jobs.identity.disable(account.firebase_uid, account.status == "suspended")
        # The status may have changed during the call; then this job or another one calls again.
        current = await job.run(_get_account, job.user_id)
        if current == account:
            break
        account = current


@TASKS.system_task(SYNC_EMAILS_TASK, cron="* * * * *")
async def sync_emails(job: Job, jobs: JobDependencies) -> None:
    """Store the email addresses that users changed at the provider."""
    changes = await job.run(_pending_changes)
    if not changes or jobs.identity is None:
        return
    try:
        emails = await jobs.identity.addresses([change.firebase_uid for change in changes])
    except IdentityOutage as outage:
        log.warning("emails_not_synced", kind=str(outage))  # the next minute tries again
        return
    for change in changes:
        await job.for_user(change.user_id).run(_save_email, change, emails.get(change.firebase_uid))


def _get_account(conn: Connection, user_id: UUID) -> IdentityAccount | None:
    return fetch_one(conn, IdentityAccount, _ACCOUNT, [user_id])


def _pending_changes(conn: Connection) -> list[EmailChange]:
    return fetch_all(conn, EmailChange, _PENDING)


def _save_email(conn: Connection, change: EmailChange, current: IdentityEmail | None) -> None:
    """Store the account's address at the provider. Forget the request when it has expired."""
    if current is not None:
        values = [current.email, current.verified]
        conn.execute(_UPDATE_EMAIL, [*values, change.user_id, *values])
    conn.execute(_CLEAR_EXPIRED, [change.user_id, clock.now() - EMAIL_CHANGE_TTL])
