"""The unit of work: one transaction, as the app role, with the tenant (and the user) set for just that long.

Nobody else commits. The setting is transaction-local: it can neither leak to the next user of the connection nor be
forgotten (DESIGN 4).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from sqlalchemy import exc, text
from sqlalchemy.ext.asyncio import AsyncSession

from tenants.kit.db import TRANSIENT, Database, unavailable

# Seconds to a connection that answers: a dead one may have to be noticed and another made. Then each statement has its
# own patience (tenants.kit.patience), so that a hung database is refused within 3 s wherever it is met.
ENTRY = 2.0
_SET = text(
    "SELECT set_config('app.tenant_id', :tenant_id, true), set_config('app.user_id', :user_id, true)",
)


@asynccontextmanager
async def unit_of_work(
    db: Database, *, tenant_id: UUID | None = None, user_id: UUID | None = None
) -> AsyncIterator[AsyncSession]:
    """A session whose transaction commits when the block ends well and rolls back otherwise.

    Raises Unavailable when the database is out, a lock is not to be had, or a pool is exhausted.
    """
    try:
        async with (
            asyncio.timeout(ENTRY) as entry,
            AsyncSession(db.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            await session.execute(
                _SET,
                {"tenant_id": str(tenant_id) if tenant_id else "", "user_id": str(user_id) if user_id else ""},
            )
            entry.reschedule(None)
            yield session
    except TimeoutError as fault:
        if entry.expired():
            raise unavailable(fault) from fault
        raise
    except exc.TimeoutError as fault:
        raise unavailable(fault) from fault
    except exc.DBAPIError as fault:
        if isinstance(fault.orig, TRANSIENT):
            raise unavailable(fault) from fault
        raise
