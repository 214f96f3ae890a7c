"""How somebody's account at the payment provider stood when we last heard of it."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.payouts.models import PayoutAccount
from tenants.kit.db import Database
from tenants.session import unit_of_work

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
