"""The unit of work: one transaction in the app role, with the tenant and the user set until it ends.

It alone commits. The setting is local to the transaction: it cannot leak to the next user of the connection
(ARCHITECTURE 4).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from sqlalchemy import exc, text
from sqlalchemy.ext.asyncio import AsyncSession

from tenants.db.pool import TRANSIENT_ERRORS, Database, unavailable
from tenants.kit.timeout_factor import TIMEOUT_FACTOR

# For the first statement: a dead connection may have to be replaced. Later statements have their own read timeout
# (tenants.db.timeouts), so that a hanging database results in a 503 within 3 s at any point.
ACQUIRE_TIMEOUT_SECONDS = 2.0 * TIMEOUT_FACTOR
_SET = text(
    "SELECT set_config('app.tenant_id', :tenant_id, true), set_config('app.user_id', :user_id, true),"
    " set_config('app.acting_tenant_id', :acting_tenant_id, true)",
)


@asynccontextmanager
async def unit_of_work(
    db: Database, *, tenant_id: UUID | None = None, user_id: UUID | None = None, acting: bool = False
) -> AsyncIterator[AsyncSession]:
    """Yield a session whose transaction commits when the block succeeds, and rolls back otherwise.

    With `acting`, the transaction acts on behalf of the tenant and sees the tenant's side of bookings. Only the console
    of a guru, after the owner check, and jobs of the tenant may ask for it.
    Raise Unavailable when the database is down, a lock is not available, or the pool is exhausted.
    """
    try:
        async with (
            asyncio.timeout(ACQUIRE_TIMEOUT_SECONDS) as acquire,
            AsyncSession(db.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            tenant = str(tenant_id) if tenant_id else ""
            user = str(user_id) if user_id else ""
            await session.execute(
                _SET, {"tenant_id": tenant, "user_id": user, "acting_tenant_id": tenant if acting else ""}
            )
            acquire.reschedule(None)
            yield session
    except TimeoutError as error:
        if acquire.expired():
            raise unavailable(error) from error
        raise
    except exc.TimeoutError as error:
        raise unavailable(error) from error
    except exc.DBAPIError as error:
        if isinstance(error.orig, TRANSIENT_ERRORS):
            raise unavailable(error) from error
        raise
