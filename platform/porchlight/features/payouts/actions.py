"""Creating accounts at the payment provider and syncing their state."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import psycopg
from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from porchlight.features.payouts.models import PayoutAccount
from porchlight.payment_ports import Payouts, PayoutState
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock

# The parameters are `account_values()`.
SAVE_ACCOUNT: LiteralString = """
UPDATE payout_accounts
   SET connected = %(connected)s, charges_enabled = %(charges_enabled)s, payouts_enabled = %(payouts_enabled)s,
       details_submitted = %(details_submitted)s, currently_due = %(currently_due)s, checked_at = %(checked_at)s,
       destinations_changed_at = CASE WHEN destinations <> '{}' AND destinations <> %(destinations)s
                                      THEN %(checked_at)s ELSE destinations_changed_at END,
       destinations = %(destinations)s, updated_at = %(updated_at)s
 WHERE account_id = %(account_id)s AND (checked_at IS NULL OR checked_at < %(checked_at)s)"""


async def get_or_create_account(db: Database, payments: Payouts, user_id: UUID, email: str) -> str:
    """Return the id of the user's account. Create it if there is none, or if the former one was disconnected.

    An idempotency key makes concurrent and interrupted calls create the same account. Raises PaymentsOutage,
    PaymentsRefusal.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        account = await session.get(PayoutAccount, user_id)
        former_id = "" if account is None else account.account_id
        if account is not None and account.connected:
            return former_id
    key = hashlib.sha256(f"{user_id}\0{email}\0{former_id}".encode()).hexdigest()[:40]
    new_id = await payments.open_account(email=email, key=f"payout-account-{key}")
    values = {
        "account_id": new_id, "connected": True, "charges_enabled": False, "payouts_enabled": False,
        "details_submitted": False, "currently_due": [], "checked_at": None, "updated_at": clock.now(),
    }  # fmt: skip
    async with unit_of_work(db, user_id=user_id) as session:
        # A concurrent insert of the same account conflicts in both unique keys, of which DO UPDATE covers only one.
        await session.execute(insert(PayoutAccount).values(user_id=user_id, **values).on_conflict_do_nothing())
        await session.execute(
            update(PayoutAccount)
            .where(PayoutAccount.user_id == user_id, PayoutAccount.connected.is_(False))
            .values(**values)
        )
        stored_id = await session.scalar(select(PayoutAccount.account_id).where(PayoutAccount.user_id == user_id))
    return stored_id or new_id


def account_values(account_id: str, state: PayoutState | None, checked_at: datetime) -> dict[str, Any]:
    """Return the parameters of SAVE_ACCOUNT. `state` None: the account is disconnected."""
    return {
        "account_id": account_id,
        "connected": state is not None,
        "charges_enabled": state is not None and state.charges_enabled,
        "payouts_enabled": state is not None and state.payouts_enabled,
        "details_submitted": state is not None and state.details_submitted,
        "currently_due": [] if state is None else state.currently_due,
        "destinations": [] if state is None else state.destinations,
        "checked_at": checked_at,
        "updated_at": clock.now(),
    }


def save_account(service_dsn: str, account_id: str, state: PayoutState | None, checked_at: datetime) -> None:
    """Save an account's state as of `checked_at`, unless a newer one is stored. `state` None: it is disconnected.

    The app role cannot say what an account may do, so the service role saves it.
    """
    with psycopg.connect(service_dsn) as conn:
        conn.execute(SAVE_ACCOUNT, account_values(account_id, state, checked_at))
