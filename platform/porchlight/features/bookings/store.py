"""Reading the facts of bookings and writing what was decided, in one transaction under the lock of the calendar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from psycopg.types.json import Jsonb
from psycopg.types.multirange import Multirange
from psycopg.types.range import Range
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.changes import Change
from porchlight.features.bookings.commands import Command
from porchlight.features.bookings.facts import Facts, to_facts
from porchlight.features.bookings.holds import BOOKING_COLUMNS, booking_of
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.limits import RECENT
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.refusals import RefusalReason
from tenants.db.pool import Database
from tenants.db.rows import Columns, Connection

_FACTS = """
SELECT app.booking_facts(%(ids)s, %(token)s, %(key)s, %(series)s, %(appointment)s, %(all_open)s, %(service)s, %(spans)s,
                         %(customer)s, %(counted)s, %(address)s, %(recent)s, %(day)s, %(unless_taken)s,
                         %(is_offered)s, %(seats)s,
                         %(waiver)s)"""
# Of all gurus, so the user reads it. The snapshot is older than the hold that is made.
_FACTS_AND_OVERLAP = f"""
{_FACTS}, EXISTS (
  SELECT FROM bookings b WHERE b.person_id = %(user)s AND b.status IN ('held', 'requested', 'confirmed')
     AND b.starts_at < %(ends_at)s AND b.ends_at > %(starts_at)s AND b.hold_hash IS DISTINCT FROM %(token)s)"""  # noqa: S608 - constants only
_APPLY = f"""
SELECT {", ".join(BOOKING_COLUMNS)} FROM app.apply_bookings(%(changes)s)"""  # noqa: S608 - constants only
Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsQuery:
    """Which facts a command needs: see app.booking_facts. `token` and `address` prove the right to change holds."""

    ids: Sequence[UUID] = ()
    token: bytes | None = None
    key: str | None = None
    series: bool = False
    appointment: UUID | None = None
    all_open: bool = False
    service: UUID | None = None
    spans: Sequence[Span] = ()
    customer: UUID | None = None
    counted: bool = False
    address: bytes | None = None
    recent: timedelta = RECENT
    day: Span | None = None
    unless_taken: datetime | None = None
    is_offered: bool = True
    seats: int = 1
    waiver: UUID | None = None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the statement that reads the facts."""
        values: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        spans = Multirange([Range(*span) for span in self.spans])
        return values | {"ids": list(self.ids), "spans": spans, "day": Range(*self.day) if self.day else None}


@dataclass(slots=True)
class _CommandRun:
    """One command on its way: the facts come in, and the statement that writes goes out."""

    needs: FactsQuery
    command: Command
    returns_booking: bool
    decision: Decision = field(default_factory=lambda: Decision(Change(), RefusalReason.STALE))

    overlaps: bool = False

    def write(self, rows: Sequence[Columns]) -> tuple[str, Mapping[str, Any]] | None:
        ((answer, *overlaps),) = rows
        self.overlaps = any(overlaps)
        facts = to_facts(answer)
        self.decision = decide(self.command, facts)
        return _statement(self.decision, facts, self.needs, returns_booking=self.returns_booking)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a command. `overlaps`: the user has another booking at the time that was asked about."""

    decision: Decision
    booking: Booking | None
    overlaps: bool


async def run(
    db: Database,
    tenant_id: UUID,
    needs: FactsQuery,
    command: Command,
    *,
    user_id: UUID | None,
    returns_booking: bool = False,
    overlap: Span | None = None,
) -> Result:
    """Carry out a command of a user or a visitor in two round trips.

    The result has the booking with `returns_booking`, and whether the user has another one at the time `overlap`.
    """
    one = _CommandRun(needs, command, returns_booking)
    parameters, read = needs.parameters(), _FACTS
    if overlap is not None and user_id is not None:
        read = _FACTS_AND_OVERLAP
        parameters |= {"user": user_id, "starts_at": overlap[0], "ends_at": overlap[1]}
    rows = await db.decide(tenant_id, (read, parameters), one.write, user_id=user_id)
    return Result(one.decision, booking_of(list(rows[0])) if rows else None, one.overlaps)


async def run_in(session: AsyncSession, needs: FactsQuery, command: Command) -> Decision:
    """Carry out a command in a unit of work whose tenant is set."""
    facts = await read_facts(session, needs)
    return await apply(session, needs, facts, command)


async def read_facts(session: AsyncSession, needs: FactsQuery) -> Facts:
    """Lock the calendar of a unit of work's tenant, and return the facts."""
    connection = await session.connection()
    found = await connection.exec_driver_sql(_FACTS, needs.parameters())
    return to_facts(found.scalar_one())


async def apply(session: AsyncSession, needs: FactsQuery, facts: Facts, command: Command) -> Decision:
    """Decide on a command in the unit of work that has read the facts, and write what was decided."""
    decision = decide(command, facts)
    statement = _statement(decision, facts, needs)
    if statement is not None:
        connection = await session.connection()
        await connection.exec_driver_sql(statement[0], dict(statement[1]))
    return decision


def run_on(conn: Connection, needs: FactsQuery, command: Command) -> Decision:
    """Carry out a command in a transaction of a plain connection whose tenant is set, as jobs do."""
    facts = read_facts_on(conn, needs)
    decision = decide(command, facts)
    write_on(conn, decision, facts, needs)
    return decision


def read_facts_on(conn: Connection, needs: FactsQuery) -> Facts:
    """Lock the calendar of the tenant of a plain connection's transaction, and return the facts."""
    ((answer,),) = conn.execute(_FACTS, needs.parameters()).fetchall()
    return to_facts(answer)


def write_on(conn: Connection, decision: Decision, facts: Facts, needs: FactsQuery) -> None:
    """Write a decision in the transaction that has read its facts."""
    statement = _statement(decision, facts, needs)
    if statement is not None:
        conn.execute(statement[0].encode(), statement[1])


def _statement(
    decision: Decision, facts: Facts, needs: FactsQuery, *, returns_booking: bool = False
) -> tuple[str, Mapping[str, Any]] | None:
    """Return the statement that writes a decision, or None if it changes nothing."""
    is_returned = returns_booking and decision.refusal is None
    if not decision.change and not is_returned:
        return None
    changes = decision.change.json(
        facts.now,
        token=needs.token,
        address=needs.address,
        returned=decision.booking_id if is_returned else None,
    )
    return _APPLY, {"changes": Jsonb(changes, dumps=orjson.dumps)}
