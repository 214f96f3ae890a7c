"""The deletion of an account, in one transaction: every feature's data of a user, by what the features declare."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth.actions import delete_user
from porchlight.contracts import MAX_ACTIVITY_CHARACTERS, Bookings
from tenants.kit.errors import Conflict
from tenants.kit.ids import new_id
from tenants.tenancy.models import Base

_OPEN_MONEY = text("SELECT app.open_money()")
_ERASE_WORDS = text("SELECT app.erase_words(:max_activity)")
_QUEUE_ACCOUNT_DELETED_EMAIL = text("SELECT app.queue_account_deleted_email(:id)")


class MoneyOpen(Conflict):
    """Money of the user is on its way or in a balance. The message says which."""

    code = "money_open"


# By what is open.
_OPEN_MONEY_MESSAGES = {
    "payment": "A payment or refund of yours is still on its way. You can delete your account once it has arrived.",
    "payout": "A payout is still on its way to your bank. You can delete your account once it has arrived.",
    "dispute": "Your bank is looking at a payment of yours. You can delete your account once it has decided.",
    "debt": "A refund left your balance below zero. You can delete your account once that is settled.",
    "package": "A paid package has sessions left. You can delete your account once they are used or taken back.",
    "balance": "You still have money in your balance. You can delete your account once it has been paid out.",
}


async def delete_account(session: AsyncSession, bookings: Bookings, user_id: UUID) -> None:
    """Delete an account: sessions, email address, and the rows of the tables that features marked for it.

    Where the app role may not write, `app.erase_words` erases the words of the account: the manifests name those tables
    in `erased_tables`. Triggers on `users` end what else belongs to it (`sql/triggers/on_user_deleted_*.sql`). Jobs
    send a last email and delete the account at the identity provider. Raises MoneyOpen.
    """
    if reason := await session.scalar(_OPEN_MONEY):
        raise MoneyOpen(_OPEN_MONEY_MESSAGES[reason])
    await session.execute(_QUEUE_ACCOUNT_DELETED_EMAIL, {"id": new_id()})
    await bookings.end_all(session, user_id)
    await session.execute(_ERASE_WORDS, {"max_activity": MAX_ACTIVITY_CHARACTERS})
    for table in reversed(Base.metadata.sorted_tables):
        if table.info.get("deleted_with_account"):
            await session.execute(table.delete().where(table.c.user_id == user_id))
    await delete_user(session, user_id)
