"""How somebody's account at the payment provider stood when we last heard of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.payouts.models import PayoutAccount
from tenants.kit.db import Database
from tenants.session import unit_of_work

# What was heard so recently is not asked for again. Short, as an event may have been followed just before the person
# said the last thing that was missing and came back.
FRESH = timedelta(milliseconds=250)
OLD = timedelta(hours=12)  # without a word of the provider about an account that is complete
_CONNECTED = text("SELECT app.payouts_connected(:user_id)")


class StoredPayouts:
    """Tells whether somebody can be paid, as `parts.PayoutStanding` says."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def connected(self, user_id: UUID) -> bool:
        """Whether the account is connected, and charges, payouts and details are all true."""
        async with unit_of_work(self._db, user_id=user_id) as session:
            return bool(await session.scalar(_CONNECTED, {"user_id": user_id}))


async def payout_account(session: AsyncSession, user_id: UUID) -> PayoutAccount | None:
    """The user's account; None when they never began."""
    return await session.get(PayoutAccount, user_id)


def worth_asking(account: PayoutAccount, now: datetime) -> bool:
    """Whether the provider may know something new: while anything is missing, or when we last asked long ago."""
    if account.checked_at is None:
        return True
    whole = account.connected and account.charges_enabled and account.payouts_enabled and account.details_submitted
    return now - account.checked_at > (OLD if whole else FRESH)
