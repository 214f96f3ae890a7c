"""Opening an account at the payment provider, following it, and keeping what the provider's events say."""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

from sqlalchemy import or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.payouts.models import PayoutAccount
from porchlight.ports import PaymentEvent, Payouts, PayoutState
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.session import unit_of_work

FOLLOW_TASK = "follow_payout_account"
FOLLOWED = ("account.updated", "account.application.deauthorized")
_KEEP_EVENT = "SELECT app.keep_payment_event(%s, %s, %s, %s)"


async def account_for(db: Database, payments: Payouts, user_id: UUID, email: str) -> str:
    """The id of the user's account, opened now if there is none or the old one was given up.

    Two calls at once, or one that broke off after the provider had answered, come to the same account: the provider
    knows it by a key. Raises PaymentsOutage, PaymentsRefusal.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        known = await session.get(PayoutAccount, user_id)
        former = "" if known is None else known.account_id
        if known is not None and known.connected:
            return former
    key = hashlib.sha256(f"{user_id}\0{email}\0{former}".encode()).hexdigest()[:40]
    opened = await payments.open_account(email=email, key=f"payout-account-{key}")
    values = {
        "account_id": opened, "connected": True, "charges_enabled": False, "payouts_enabled": False,
        "details_submitted": False, "currently_due": [], "checked_at": None, "updated_at": clock.now(),
    }  # fmt: skip
    async with unit_of_work(db, user_id=user_id) as session:
        made = insert(PayoutAccount).values(user_id=user_id, **values)
        await session.execute(
            made.on_conflict_do_update(
                index_elements=["user_id"], set_=values, where=PayoutAccount.connected.is_(False)
            )
        )
        kept = await session.scalar(select(PayoutAccount.account_id).where(PayoutAccount.user_id == user_id))
    return kept or opened


async def remember(session: AsyncSession, account_id: str, state: PayoutState | None, asked: datetime) -> None:
    """Keep how an account stood at `asked`. What was asked later is not overwritten; None: it is ours no more."""
    values: dict[str, object] = {"connected": state is not None, "checked_at": asked, "updated_at": clock.now()}
    values |= {
        "charges_enabled": state is not None and state.charges_enabled,
        "payouts_enabled": state is not None and state.payouts_enabled,
        "details_submitted": state is not None and state.details_submitted,
        "currently_due": [] if state is None else state.currently_due,
    }
    await session.execute(
        update(PayoutAccount)
        .where(PayoutAccount.account_id == account_id)
        .where(or_(PayoutAccount.checked_at.is_(None), PayoutAccount.checked_at < asked))
        .values(**values)
    )


async def follow(overseer: Database, payments: Payouts, account_id: str) -> None:
    """Ask the provider how an account stands and keep it. An event says only that something changed, never what."""
    asked = clock.now()
    state = await payments.state(account_id)
    async with unit_of_work(overseer) as session:
        await remember(session, account_id, state, asked)


async def keep_event(db: Database, event: PaymentEvent) -> bool:
    """Keep an event and have it followed, once. False for one that came before."""
    task = FOLLOW_TASK if event.kind in FOLLOWED and event.account else ""
    rows = await db.write(None, _KEEP_EVENT, [event.id, event.kind, event.account, task])
    return bool(rows[0][0])
