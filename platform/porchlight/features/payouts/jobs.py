"""Jobs of payouts: sync accounts with the payment provider."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from porchlight.dependencies import JobDependencies
from porchlight.features.payouts.actions import SAVE_ACCOUNT, account_values
from porchlight.ports import PayoutState
from tenants.db.tasks import Connection, Tasks, UserJob
from tenants.kit import clock
from tenants.kit.logs import log

_HAS_ACCOUNT = "SELECT FROM payout_accounts WHERE user_id = %s AND account_id = %s"


def tasks(jobs: JobDependencies) -> Tasks:
    """Return the tasks of `payouts`."""
    payouts = Tasks("payouts", jobs.app_dsn)

    @payouts.user_task("payouts:sync_account")  # app.create_payment_event enqueues it
    async def sync_account(job: UserJob, account_id: str, event_id: str) -> None:
        """Fetch and save an account's state, because an event only says that it changed."""
        if jobs.payments is None:
            log.error("payment_event_not_synced", event=event_id)
            return
        if not await job.run(_has_account, job.user_id, account_id):
            return
        checked_at = clock.now()
        state = await jobs.payments.state(account_id)
        await job.run(_save_account, account_id, state, checked_at)

    return payouts


def _has_account(conn: Connection, user_id: UUID, account_id: str) -> bool:
    return conn.execute(_HAS_ACCOUNT, [user_id, account_id]).fetchone() is not None


def _save_account(conn: Connection, account_id: str, state: PayoutState | None, checked_at: datetime) -> None:
    conn.execute(SAVE_ACCOUNT, account_values(account_id, state, checked_at))
