"""The unit of work: one transaction in the app role, with the tenant and the user set until it ends.

It alone commits. The setting is local to the transaction: it cannot leak to the next user of the connection
(docs/tenancy.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import cast
from uuid import UUID

import psycopg
from sqlalchemy import exc
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession

from tenants.db.pool import TRANSIENT_ERRORS, Database, unavailable
from tenants.db.read_timeout import ReadTimeoutConnection
from tenants.kit import timeouts

_SET = (
    "SELECT set_config('app.tenant_id', '{tenant}', true), set_config('app.user_id', '{user}', true),"
    " set_config('app.acting_tenant_id', '{acting_tenant}', true)"
)


def _setup(tenant_id: UUID | None, user_id: UUID | None, *, acting: bool) -> bytes:
    """Return the statement that sets tenant and user. It needs no escaping, because only a UUID has an `int`."""
    tenant = str(UUID(int=tenant_id.int)) if tenant_id else ""
    user = str(UUID(int=user_id.int)) if user_id else ""
    return _SET.format(tenant=tenant, user=user, acting_tenant=tenant if acting else "").encode()


async def _begin(engine: AsyncEngine, setup: bytes) -> AsyncConnection:
    """Return a connection with a transaction in which `setup` ran.

    A pooled connection that the server has closed is replaced. This needs no ping before each transaction, because only
    `setup` is lost.
    """
    while True:
        connection = await engine.connect()
        raw = cast(ReadTimeoutConnection, (await connection.get_raw_connection()).driver_connection)
        try:
            await raw.begin(setup)
        except psycopg.OperationalError as error:
            await _discard(connection, raw)
            if not raw.closed:
                raise unavailable(error) from error
        except BaseException:
            await _discard(connection, raw)
            raise
        else:
            return connection


async def _discard(connection: AsyncConnection, raw: ReadTimeoutConnection) -> None:
    """Return a connection to the pool, unless it is closed."""
    if raw.closed:
        await connection.invalidate()
    await connection.close()


@asynccontextmanager
async def unit_of_work(
    db: Database, *, tenant_id: UUID | None = None, user_id: UUID | None = None, acting: bool = False
) -> AsyncIterator[AsyncSession]:
    """Yield a session whose transaction commits when the block succeeds, and rolls back otherwise.

    With `acting`, the transaction acts on behalf of the tenant and sees the tenant's side of bookings. Only the console
    of a guru, after the owner check, and jobs of the tenant may ask for it.
    Raise Unavailable when the database is down, a lock is not available, or the pool is exhausted.
    """
    setup = _setup(tenant_id, user_id, acting=acting)
    try:
        async with asyncio.timeout(timeouts.current.acquire_seconds) as acquire:
            async with (
                aclosing(await _begin(db.engine, setup)) as connection,
                AsyncSession(connection, expire_on_commit=False) as session,
                session.begin(),
            ):
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
