"""Creating accounts at the payment provider, syncing their state and recording the provider's events."""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

from sqlalchemy import or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.payouts.models import PayoutAccount
from porchlight.ports import PaymentEvent, Payouts, PayoutState
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock

SYNC_ACCOUNT_TASK = "payouts:sync_account"
SYNCED_EVENTS = ("account.updated", "account.application.deauthorized")
_CREATE_EVENT = "SELECT app.create_payment_event(%s, %s, %s, %s)"


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
        statement = insert(PayoutAccount).values(user_id=user_id, **values)
        await session.execute(
            statement.on_conflict_do_update(
                index_elements=["user_id"], set_=values, where=PayoutAccount.connected.is_(False)
            )
        )
        stored_id = await session.scalar(select(PayoutAccount.account_id).where(PayoutAccount.user_id == user_id))
    return stored_id or new_id


async def save_account(session: AsyncSession, account_id: str, state: PayoutState | None, checked_at: datetime) -> None:
    """Save an account's state as of `checked_at`, unless a newer one is stored. `state` None: it is disconnected."""
    values: dict[str, object] = {"connected": state is not None, "checked_at": checked_at, "updated_at": clock.now()}
    values |= {
        "charges_enabled": state is not None and state.charges_enabled,
        "payouts_enabled": state is not None and state.payouts_enabled,
        "details_submitted": state is not None and state.details_submitted,
        "currently_due": [] if state is None else state.currently_due,
    }
    await session.execute(
        update(PayoutAccount)
        .where(PayoutAccount.account_id == account_id)
        .where(or_(PayoutAccount.checked_at.is_(None), PayoutAccount.checked_at < checked_at))
        .values(**values)
    )


async def sync_account(service_db: Database, payments: Payouts, account_id: str) -> None:
    """Fetch and save an account's state, because an event only says that it changed."""
    checked_at = clock.now()
    state = await payments.state(account_id)
    async with unit_of_work(service_db) as session:
        await save_account(session, account_id, state, checked_at)


async def record_event(db: Database, event: PaymentEvent) -> bool:
    """Record an event and enqueue the sync of its account. Return False for a duplicate."""
    task = SYNC_ACCOUNT_TASK if event.kind in SYNCED_EVENTS and event.account else ""
    rows = await db.write(None, _CREATE_EVENT, [event.id, event.kind, event.account, task])
    return bool(rows[0][0])
