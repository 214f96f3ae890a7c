"""Reading the facts of bookings and writing what was decided, by the version or under the lock of the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from psycopg.types.json import Jsonb
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.booking_rows import BOOKING_COLUMNS, booking_of
from porchlight.features.bookings.changes import Change
from porchlight.features.bookings.commands import Command
from porchlight.features.bookings.facts import Facts, to_facts
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.limits import RECENT
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.refusals import RefusalReason
from tenants.db.pipeline import Statement
from tenants.db.pool import Database
from tenants.db.rows import Columns, Connection

# Longer than any local day: the sessions and holds of a start's day are at most so far from it.
NEAR = timedelta(hours=26)
# Without the lock; if others change the calendar each time, it is locked then.
UNLOCKED_ATTEMPTS = 2
_LOCK = ("SELECT 1 FROM app.lock_calendar()", ())
_FACTS = """
SELECT app.booking_facts(%(ids)s, %(token)s, %(key)s, %(series)s, %(appointment)s, %(all_open)s, %(service)s,
                         %(starts)s, %(near)s, %(customer)s, %(counted)s, %(address)s, %(recent)s, %(waiver)s)"""
_APPLY = f"""
SELECT {", ".join(BOOKING_COLUMNS)} FROM app.apply_bookings(%(changes)s)"""  # noqa: S608 - constants only


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsQuery:
    """Which facts a command needs: see app.booking_facts. `token` and `address` prove the right to change holds.

    `claimed` is the token of a customer's link, which proves the right to claim their bookings.
    """

    ids: Sequence[UUID] = ()
    token: bytes | None = None
    key: str | None = None
    series: bool = False
    appointment: UUID | None = None
    all_open: bool = False
    service: UUID | None = None
    starts: Sequence[datetime] = ()
    near: timedelta = NEAR
    customer: UUID | None = None
    counted: bool = False
    address: bytes | None = None
    recent: timedelta = RECENT
    waiver: UUID | None = None
    claimed: UUID | None = None

    def statement(self) -> tuple[str, dict[str, Any]]:
        """Return the statement that reads the facts."""
        values: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        del values["claimed"]
        return _FACTS, values | {"ids": list(self.ids), "starts": list(self.starts)}


@dataclass(frozen=True, slots=True)
class Result:
    """The decision on a command, and the booking that it is about, if it was asked for."""

    decision: Decision
    booking: Booking | None = None


async def run(
    db: Database,
    tenant_id: UUID,
    needs: FactsQuery,
    command: Command,
    *,
    user_id: UUID | None,
    returns_booking: bool = False,
) -> Result:
    """Carry out a command of a user or a visitor in two round trips, or four and more if others change the calendar."""
    for _ in range(UNLOCKED_ATTEMPTS):
        facts = await read(db, tenant_id, needs, user_id=user_id)
        result = await write(db, tenant_id, needs, facts, command, user_id=user_id, returns_booking=returns_booking)
        if result is not None:
            return result
    return await run_locked(db, tenant_id, needs, command, user_id=user_id, returns_booking=returns_booking)


async def read(db: Database, tenant_id: UUID, needs: FactsQuery, *, user_id: UUID | None) -> Facts:
    """Return the facts without the lock of the calendar."""
    query, parameters = needs.statement()
    ((answer,),) = await db.read(tenant_id, query, parameters, user_id=user_id)
    return to_facts(answer)


async def write(
    db: Database,
    tenant_id: UUID,
    needs: FactsQuery,
    facts: Facts,
    command: Command,
    *,
    user_id: UUID | None,
    returns_booking: bool = False,
) -> Result | None:
    """Decide on facts that were read without the lock, and write the decision. None: the calendar has changed since."""
    decision = decide(command, facts)
    statement = statement_of(decision, facts, needs, returns_booking=returns_booking, is_locked=False)
    if statement is None:
        return Result(decision)
    rows = await db.write_once(tenant_id, statement, user_id=user_id)
    if not rows:
        return Result(decision)
    booking = booking_of(list(rows[0]))
    return Result(decision, booking) if booking.id is not None else None


async def run_locked(
    db: Database,
    tenant_id: UUID,
    needs: FactsQuery,
    command: Command,
    *,
    user_id: UUID | None,
    returns_booking: bool = False,
) -> Result:
    """Carry out a command under the lock of the calendar, in two round trips."""
    decision = Decision(Change(), RefusalReason.STALE)

    def write_decision(rows: Sequence[Columns]) -> Statement | None:
        nonlocal decision
        ((answer,),) = rows
        facts = to_facts(answer)
        decision = decide(command, facts)
        return statement_of(decision, facts, needs, returns_booking=returns_booking)

    rows = await db.decide(tenant_id, _LOCK, needs.statement(), write_decision, user_id=user_id)
    return Result(decision, booking_of(list(rows[0])) if rows else None)


async def run_in(session: AsyncSession, needs: FactsQuery, command: Command) -> Decision:
    """Carry out a command in a unit of work whose tenant is set."""
    facts = await read_facts(session, needs)
    return await apply(session, needs, facts, command)


async def read_facts(session: AsyncSession, needs: FactsQuery) -> Facts:
    """Lock the calendar of a unit of work's tenant, and return the facts."""
    connection = await session.connection()
    await connection.exec_driver_sql(*_LOCK)
    query, parameters = needs.statement()
    found = await connection.exec_driver_sql(query, parameters)
    return to_facts(found.scalar_one())


async def apply(session: AsyncSession, needs: FactsQuery, facts: Facts, command: Command) -> Decision:
    """Decide on a command in the unit of work that has read the facts, and write what was decided."""
    decision = decide(command, facts)
    statement = statement_of(decision, facts, needs)
    if statement is not None:
        connection = await session.connection()
        await connection.exec_driver_sql(*statement)
    return decision


def run_on(conn: Connection, needs: FactsQuery, command: Command) -> Decision:
    """Carry out a command in a transaction of a plain connection whose tenant is set, as jobs do."""
    facts = read_facts_on(conn, needs)
    decision = decide(command, facts)
    write_on(conn, decision, facts, needs)
    return decision


def read_facts_on(conn: Connection, needs: FactsQuery) -> Facts:
    """Lock the calendar of the tenant of a plain connection's transaction, and return the facts."""
    conn.execute(*_LOCK)
    query, parameters = needs.statement()
    ((answer,),) = conn.execute(query.encode(), parameters).fetchall()
    return to_facts(answer)


def write_on(conn: Connection, decision: Decision, facts: Facts, needs: FactsQuery) -> None:
    """Write a decision in the transaction that has read its facts."""
    statement = statement_of(decision, facts, needs)
    if statement is not None:
        conn.execute(statement[0].encode(), statement[1])


def statement_of(
    decision: Decision, facts: Facts, needs: FactsQuery, *, returns_booking: bool = False, is_locked: bool = True
) -> tuple[str, dict[str, Any]] | None:
    """Return the statement that writes a decision, or None if it changes nothing.

    Without the lock, it returns a row without values, and writes nothing, if the calendar has changed since.
    """
    is_returned = returns_booking and decision.refusal is None
    if not decision.change and not is_returned:
        return None
    changes = decision.change.json(
        facts.now,
        version=None if is_locked or facts.calendar is None else facts.calendar.version,
        token=needs.token,
        address=needs.address,
        claimed=needs.claimed,
        returned=decision.booking_id if is_returned else None,
    )
    return _APPLY, {"changes": Jsonb(changes, dumps=orjson.dumps)}
