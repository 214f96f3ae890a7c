"""Reading the signed-in person's hours: the balance, the statement, swaps and free help. All amounts are minutes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from porchlight.features.exchanges.hours_rules import HoursAccount
from porchlight.features.exchanges.hours_schemas import FreeHelp, HoursData, HoursLine, HoursStatement, SwapBalance
from porchlight.features.exchanges.queries import DELETED_NAME, UNKNOWN_NAME
from porchlight.features.exchanges.schemas import OwnHours
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import ValidationFailed

PAGE_SIZE = 50
EXPORT_PAGE_SIZE = 1_000
MAX_EXPORTED_LINES = 10_000  # the newest
MAX_SWAPS = 100
_MAX_SEQ = 2**63 - 1
CSV_HEADER = ("Date (UTC)", "Description", "Session", "With", "In (min)", "Out (min)", "Balance (min)")
_OWN = "SELECT * FROM app.own_hours()"
_PERSON = "p.shown_name, coalesce(p.is_gone, false) AS is_gone"
_LINES = f"""
SELECT l.seq, l.at, l.event, l.amount, l.balance_after, e.id AS exchange_id, coalesce(e.skill, '') AS skill,
       e.starts_at, {_PERSON}
  FROM app.own_ledger_lines('hours', %(before)s::bigint, %(limit)s) l
  LEFT JOIN exchanges e ON l.subject_kind = 'exchange' AND e.id = CASE WHEN l.subject_kind = 'exchange'
                                                                       THEN l.subject_id::uuid END
  LEFT JOIN exchange_people p ON p.exchange_id = e.id
 ORDER BY l.seq DESC"""
_SWAPS = f"""
SELECT s.exchange_id, s.minutes, {_PERSON}
  FROM app.own_swaps(%(limit)s) s LEFT JOIN exchange_people p ON p.exchange_id = s.exchange_id
 ORDER BY s.exchange_id DESC"""
_FREE = """
SELECT coalesce(sum(e.recorded_minutes) FILTER (WHERE e.teacher_id = %(user)s), 0)::bigint AS given,
       coalesce(sum(e.recorded_minutes) FILTER (WHERE e.teacher_id <> %(user)s), 0)::bigint AS received
  FROM exchanges e
 WHERE %(user)s IN (e.person_a_id, e.person_b_id) AND e.mode = 'free' AND e.record_state = 'settled'"""

# Every event of the ledger that can move a person's hours: when it brings them, and when it takes them.
DESCRIPTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "hours_exchanged": ("You taught", "You learned"),
        "hours_exchange_reversed": ("Hours returned to you", "Hours returned"),
        "swap_settled": ("Swap settled in hours", "Swap settled in hours"),
        "swap_settlement_reversed": ("Swap settlement taken back", "Swap settlement taken back"),
        "hours_donated": ("Given to the community", "Given to the community"),
        "hours_donation_reversed": ("Gift to the community returned", "Gift to the community returned"),
        "hours_written_off": ("Written off", "Written off"),
        "hours_write_off_reversed": ("Write-off taken back", "Write-off taken back"),
    }
)


@dataclass(frozen=True, slots=True)
class _Line:
    seq: int
    at: datetime
    event: str
    amount: int
    balance_after: int
    exchange_id: UUID | None
    skill: str
    starts_at: datetime | None
    shown_name: str | None
    is_gone: bool

    @property
    def description(self) -> str:
        """Return what an event is for the person."""
        gained, spent = DESCRIPTIONS[self.event]
        return gained if self.amount > 0 else spent

    @property
    def neighbor(self) -> str:
        """Return with whom, or "" without an exchange."""
        return _name(self.shown_name, is_gone=self.is_gone) if self.exchange_id else ""


@dataclass(frozen=True, slots=True)
class _Swap:
    exchange_id: UUID
    minutes: int
    shown_name: str | None
    is_gone: bool


@dataclass(frozen=True, slots=True)
class _Free:
    given: int
    received: int


def parse_line_cursor(cursor: str | None) -> int | None:
    """Return the number of the last line on the previous page; None without a cursor. Raises ValidationFailed."""
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit() and int(cursor) <= _MAX_SEQ):
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    return int(cursor)


async def hours(db: Database, user_id: UUID) -> HoursData:
    """Return the user's balance, the balances of their swaps, and the free help they gave and got."""
    (own,) = await db.read(None, _OWN, row=HoursAccount, user_id=user_id)
    swaps = await db.read(None, _SWAPS, {"limit": MAX_SWAPS}, row=_Swap, user_id=user_id)
    (free,) = await db.read(None, _FREE, {"user": user_id}, row=_Free, user_id=user_id)
    return HoursData(
        hours=OwnHours(balance=own.balance, reserved=own.reserved, floor=own.floor),
        swaps=[
            SwapBalance(
                exchange_id=str(one.exchange_id),
                neighbor=_name(one.shown_name, is_gone=one.is_gone),
                minutes=one.minutes,
            )
            for one in swaps
        ],
        free=FreeHelp(given=free.given, received=free.received),
    )


async def statement(db: Database, user_id: UUID, before: int | None) -> HoursStatement:
    """Return a page of the user's hours, the newest first. Numbers have no gaps, so line 1 is the last."""
    lines = await _lines(db, user_id, before, PAGE_SIZE)
    return HoursStatement(
        lines=[
            HoursLine(
                number=line.seq,
                at=clock.to_iso8601(line.at),
                description=line.description,
                exchange_id=str(line.exchange_id) if line.exchange_id else None,
                skill=line.skill,
                starts_at=clock.to_iso8601(line.starts_at) if line.starts_at else None,
                neighbor=line.neighbor,
                minutes=line.amount,
                balance_after=line.balance_after,
            )
            for line in lines
        ],
        next_cursor=str(lines[-1].seq) if lines and lines[-1].seq > 1 else None,
    )


async def exported_rows(db: Database, user_id: UUID) -> AsyncIterator[list[tuple[str, ...]]]:
    """Yield the newest MAX_EXPORTED_LINES lines as rows of CSV_HEADER, in pages."""
    before: int | None = None
    for _ in range(MAX_EXPORTED_LINES // EXPORT_PAGE_SIZE):
        lines = await _lines(db, user_id, before, EXPORT_PAGE_SIZE)
        yield [_csv_row(line) for line in lines]
        if len(lines) < EXPORT_PAGE_SIZE:
            return
        before = lines[-1].seq


async def _lines(db: Database, user_id: UUID, before: int | None, limit: int) -> Sequence[_Line]:
    return await db.read(None, _LINES, {"before": before, "limit": limit}, row=_Line, user_id=user_id)


def _csv_row(line: _Line) -> tuple[str, ...]:
    at = clock.to_iso8601(line.at).replace("T", " ").removesuffix("Z")
    gained = str(line.amount) if line.amount > 0 else ""
    spent = str(-line.amount) if line.amount < 0 else ""
    return at, line.description, line.skill, line.neighbor, gained, spent, str(line.balance_after)


def _name(shown_name: str | None, *, is_gone: bool) -> str:
    return DELETED_NAME if is_gone else shown_name or UNKNOWN_NAME
