"""Queries of payout accounts."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.payouts.models import PayoutAccount

# Short, because an event may be synced just before the user completes the last missing detail and returns.
MIN_CHECK_INTERVAL = timedelta(milliseconds=250)
MAX_CHECK_INTERVAL = timedelta(hours=12)  # for complete accounts


async def payout_account(session: AsyncSession, user_id: UUID) -> PayoutAccount | None:
    """Return the user's account, or None."""
    return await session.get(PayoutAccount, user_id)


def is_check_due(account: PayoutAccount, now: datetime) -> bool:
    """Return whether to ask the provider again: while the account is incomplete, or after a long time."""
    if account.checked_at is None:
        return True
    complete = account.connected and account.charges_enabled and account.payouts_enabled and account.details_submitted
    return now - account.checked_at > (MAX_CHECK_INTERVAL if complete else MIN_CHECK_INTERVAL)
