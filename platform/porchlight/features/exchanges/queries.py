"""Reading exchanges as one of the two people, and the listing that one asks about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast
from uuid import UUID

from porchlight.contracts import RiskLevel, profile_photo_url
from porchlight.features.exchanges.agreement import OPEN, Agreement, Record, RecordState, Side, Status, lacks_waiver
from porchlight.features.exchanges.hours_rules import Mode
from porchlight.features.exchanges.rules import MAX_ROUNDS
from porchlight.features.exchanges.schemas import (
    ExchangeCounts,
    ExchangeData,
    ExchangeNeighbor,
    Place,
    ProposedTime,
    RecordedTime,
    When,
)
from porchlight.features.exchanges.settlement_rules import can_answer, can_record, can_reverse
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.clock import to_iso8601
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id

PAGE_SIZE = 20
MAX_COUNTED = 1000
MAX_OFFERS = 100
UNKNOWN_NAME, DELETED_NAME = "A neighbor", "A former neighbor"
_OFFERS = """
SELECT o.id, o.title, o.details, o.formats, o.terms, o.handle, o.name, o.photo_id, o.photo_url
  FROM public_listings o WHERE o.handle = %(handle)s ORDER BY o.title, o.id LIMIT %(limit)s"""
_COLUMNS = """
SELECT e.id, e.teacher_id, e.offer_id, e.skill, e.status, e.turn, e.round, e.proposals, e.minutes, e.place, e.note,
       e.reply, e.reply_by, e.teacher_zone, e.learner_zone, e.starts_at, e.ends_at, e.expires_at, e.ended_by,
       e.sequence, e.risk, e.waiver_until, e.mode, e.record_state, e.recorded_minutes, e.recorded_by, e.record_round,
       e.settle_by, e.settled_at, e.reversal_by, e.changed_at, p.handle, p.shown_name, p.photo_id, p.photo_url,
       p.is_gone, p.is_hidden"""
_MINE = "(e.person_a_id = %(user)s OR e.person_b_id = %(user)s)"
ONE = f"""{_COLUMNS} FROM exchanges e JOIN exchange_people p ON p.exchange_id = e.id
 WHERE {_MINE} AND e.id = %(id)s"""
_LIST = f"{_COLUMNS} FROM exchanges e JOIN exchange_people p ON p.exchange_id = e.id WHERE {_MINE}"
# A page of each tab: after a place in the order of the tab. What is over is past, before the job says so.
_UPCOMING = f"""{_LIST} AND e.status = 'confirmed' AND e.ends_at > %(now)s
   AND (%(at)s::timestamptz IS NULL OR (e.starts_at, e.id) > (%(at)s::timestamptz, %(after)s::uuid))
 ORDER BY e.starts_at, e.id LIMIT %(limit)s"""
_WAITING = f"""{_LIST} AND e.status IN ('asked', 'countered') AND e.expires_at > %(now)s
   AND (%(at)s::timestamptz IS NULL OR (e.expires_at, e.id) > (%(at)s::timestamptz, %(after)s::uuid))
 ORDER BY e.expires_at, e.id LIMIT %(limit)s"""
_PAST = f"""{_LIST}
   AND (e.status IN ('declined', 'canceled', 'expired', 'completed') OR e.ends_at <= %(now)s OR e.expires_at <= %(now)s)
   AND (%(at)s::timestamptz IS NULL
        OR (coalesce(e.starts_at, e.changed_at), e.id) < (%(at)s::timestamptz, %(after)s::uuid))
 ORDER BY coalesce(e.starts_at, e.changed_at) DESC, e.id DESC LIMIT %(limit)s"""
_COUNTS = f"""
SELECT count(*) FILTER (WHERE c.status = 'confirmed' AND c.ends_at > %(now)s) AS upcoming,
       count(*) FILTER (WHERE c.status IN ('asked', 'countered') AND c.expires_at > %(now)s) AS waiting,
       count(*) FILTER (WHERE c.status IN ('asked', 'countered') AND c.expires_at > %(now)s
                          AND (c.turn = 'teacher') = (c.teacher_id = %(user)s)) AS to_answer,
       count(*) FILTER (WHERE c.status = 'completed' OR (c.status = 'confirmed' AND c.ends_at <= %(now)s)) AS completed
  FROM (SELECT e.status, e.ends_at, e.expires_at, e.turn, e.teacher_id FROM exchanges e WHERE {_MINE}
         LIMIT %(limit)s) c"""
# What the user has agreed on in a range: sessions that they booked, and other exchanges in which they teach or learn.
_BUSY = f"""
SELECT b.starts_at, b.ends_at FROM bookings b
 WHERE b.person_id = %(user)s AND b.status IN ('requested', 'confirmed') AND b.starts_at < %(until)s
   AND b.ends_at > %(since)s
 UNION
SELECT e.starts_at, e.ends_at FROM exchanges e
 WHERE {_MINE} AND e.status = 'confirmed' AND e.starts_at < %(until)s AND e.ends_at > %(since)s
   AND e.id <> %(except_for)s"""
_OFFER = """
SELECT o.id, o.title, o.details, o.formats, o.terms, o.handle, o.name, o.photo_id, o.photo_url
  FROM public_listings o WHERE o.id = %(id)s"""

_NAME = "SELECT display_name FROM profiles WHERE user_id = %(user)s"


@dataclass(frozen=True, slots=True)
class ExchangeRow:
    """An exchange with the other side, as the reader sees it."""

    id: UUID
    teacher_id: UUID
    offer_id: UUID
    skill: str
    status: str
    turn: str
    round: int
    proposals: list[datetime]
    minutes: int
    place: str
    note: str
    reply: str
    reply_by: str
    teacher_zone: str
    learner_zone: str
    starts_at: datetime | None
    ends_at: datetime | None
    expires_at: datetime | None
    ended_by: str
    sequence: int
    risk: str
    waiver_until: datetime | None
    mode: Mode
    record_state: RecordState
    recorded_minutes: int | None
    recorded_by: Side | Literal[""]
    record_round: int
    settle_by: datetime | None
    settled_at: datetime | None
    reversal_by: Side | Literal[""]
    changed_at: datetime
    handle: str | None
    shown_name: str | None
    photo_id: UUID | None
    photo_url: str | None
    is_gone: bool
    is_hidden: bool

    def side(self, user_id: UUID) -> Side:
        """Return the side of one of the two people."""
        return "teacher" if self.teacher_id == user_id else "learner"

    @property
    def other_name(self) -> str:
        """Return the name of the other person, as the reader may see it."""
        return DELETED_NAME if self.is_gone else self.shown_name or UNKNOWN_NAME

    @property
    def record(self) -> Record:
        """Return the recorded time."""
        return Record(
            self.record_state, self.recorded_minutes, self.recorded_by, self.record_round, self.settle_by,
            self.settled_at, self.reversal_by,
        )  # fmt: skip

    @property
    def waiver_due(self) -> bool:
        """Return whether a waiver is missing: one that is valid at the start, or now while no time is agreed on."""
        if self.status == "confirmed" and self.starts_at is not None:
            return lacks_waiver(self.risk, self.waiver_until, self.starts_at)
        return self.status in OPEN and lacks_waiver(self.risk, self.waiver_until, clock.now())


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A public listing, and whose it is."""

    id: UUID
    title: str
    details: str
    formats: list[Literal["in_person", "online"]]
    terms: list[str]
    handle: str | None
    name: str | None
    photo_id: UUID | None
    photo_url: str | None


@dataclass(frozen=True, slots=True)
class Busy:
    """A time that the reader has agreed on."""

    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class _Counts:
    upcoming: int
    waiting: int
    to_answer: int
    completed: int


async def exchange(db: Database, user_id: UUID, exchange_id: UUID) -> ExchangeRow:
    """Return an exchange of the user. Raises NotFound."""
    for row in await db.read(None, ONE, {"id": exchange_id, "user": user_id}, row=ExchangeRow, user_id=user_id):
        return row
    raise NotFound


async def own_name(db: Database, user_id: UUID) -> str:
    """Return the user's own name, "" without one."""
    return await db.read_value(str, None, _NAME, {"user": user_id}, user_id=user_id) or ""


async def exchange_data(db: Database, user_id: UUID, exchange_id: UUID) -> ExchangeData:
    """Return an exchange of the user for its page: with the user's other sessions at the proposed times."""
    row = await exchange(db, user_id, exchange_id)
    busy: list[Busy] = []
    if row.status in OPEN:
        until = max(row.proposals) + timedelta(minutes=row.minutes)
        values = {"user": user_id, "since": min(row.proposals), "until": until, "except_for": row.id}
        busy = await db.read(None, _BUSY, values, row=Busy, user_id=user_id)
    return to_data(row, user_id, busy)


async def exchanges(
    db: Database, user_id: UUID, when: When, cursor: str | None
) -> tuple[list[ExchangeData], str | None]:
    """Return a page of the user's exchanges of a tab, and where the next page begins."""
    place = _parse_cursor(cursor)
    at, after = place if place is not None else (None, None)
    values: dict[str, Any] = {"user": user_id, "now": clock.now(), "limit": PAGE_SIZE + 1, "at": at, "after": after}
    query = _UPCOMING if when == "upcoming" else _WAITING if when == "waiting" else _PAST
    rows = await db.read(None, query, values, row=ExchangeRow, user_id=user_id)
    page = rows[:PAGE_SIZE]
    next_cursor = None
    if len(rows) > PAGE_SIZE:
        last = page[-1]
        at = last.expires_at if when == "waiting" else last.starts_at or last.changed_at
        next_cursor = f"{(at or last.changed_at).isoformat()}_{last.id}"
    return [to_data(row, user_id, ()) for row in page], next_cursor


async def exchange_counts(db: Database, user_id: UUID) -> ExchangeCounts:
    """Return how many exchanges the user has. Counts end at MAX_COUNTED."""
    values = {"user": user_id, "now": clock.now(), "limit": MAX_COUNTED}
    (row,) = await db.read(None, _COUNTS, values, row=_Counts, user_id=user_id)
    return ExchangeCounts(upcoming=row.upcoming, waiting=row.waiting, to_answer=row.to_answer, completed=row.completed)


async def offer(db: Database, user_id: UUID, offer_id: UUID) -> OfferRow:
    """Return a public listing. Raises NotFound."""
    for row in await db.read(None, _OFFER, {"id": offer_id}, row=OfferRow, user_id=user_id):
        return row
    raise NotFound


async def offers(db: Database, user_id: UUID, handle: str) -> list[OfferRow]:
    """Return the visible listings of a neighbor, at most MAX_OFFERS. Raises NotFound if there are none."""
    values = {"handle": handle, "limit": MAX_OFFERS}
    found = await db.read(None, _OFFERS, values, row=OfferRow, user_id=user_id)
    if not found:
        raise NotFound
    return found


def to_data(row: ExchangeRow, user_id: UUID, busy: list[Busy] | tuple[Busy, ...]) -> ExchangeData:
    """Return an exchange as the user sees it."""
    side, now = row.side(user_id), clock.now()
    length = timedelta(minutes=row.minutes)
    is_open = row.status in OPEN and row.expires_at is not None and row.expires_at > now
    is_ahead = row.status == "confirmed" and row.ends_at is not None and row.ends_at > now
    can_answer = is_open and row.turn == side
    status = "expired" if row.status in OPEN and not is_open else row.status
    return ExchangeData(
        id=str(row.id),
        side=side,
        status=cast("Status", status),
        skill=row.skill,
        offer_id=str(row.offer_id),
        neighbor=ExchangeNeighbor(
            name=row.other_name,
            handle=row.handle,
            photo_url=profile_photo_url(row.photo_id, row.photo_url or ""),
            can_arrange=not (row.is_hidden or row.is_gone),
        ),
        minutes=row.minutes,
        place=cast("Place", row.place),
        note=row.note,
        reply=row.reply,
        reply_by=cast("Side | Literal['']", row.reply_by),
        proposals=[
            ProposedTime(
                starts_at=to_iso8601(start),
                ends_at=to_iso8601(start + length),
                overlaps=any(start < one.ends_at and one.starts_at < start + length for one in busy),
            )
            for start in row.proposals
        ],
        round=row.round,
        can_answer=can_answer,
        can_counter=can_answer and row.round < MAX_ROUNDS,
        can_cancel=is_ahead or (is_open and row.turn != side),
        expires_at=to_iso8601(row.expires_at) if row.expires_at else None,
        starts_at=to_iso8601(row.starts_at) if row.starts_at else None,
        ends_at=to_iso8601(row.ends_at) if row.ends_at else None,
        ended_by=cast("Side | Literal['']", row.ended_by),
        teacher_zone=row.teacher_zone,
        learner_zone=row.learner_zone,
        risk=cast("RiskLevel | None", row.risk or None),
        waiver_due=row.waiver_due and status != "expired",
        waiver_until=to_iso8601(row.waiver_until) if row.waiver_until else None,
        mode=row.mode,
        time=_recorded_time(row, side, now),
        sequence=row.sequence,
        changed_at=to_iso8601(row.changed_at),
    )


def _recorded_time(row: ExchangeRow, side: Side, now: datetime) -> RecordedTime:
    """Return the recorded time as a side sees it. Before the job says so, what is due counts as settled."""
    record = row.record
    agreement = Agreement(
        cast("Status", row.status), "", row.round, (), row.minutes, row.sequence, row.starts_at, row.ends_at,
        mode=row.mode, record=record,
    )  # fmt: skip
    return RecordedTime(
        state=record.state,
        minutes=record.minutes,
        by=record.by,
        round=record.round,
        settle_by=to_iso8601(record.settle_by) if record.settle_by else None,
        can_record=can_record(agreement, side, now),
        can_answer=can_answer(record, side, now),
        can_reverse=can_reverse(record, now) and not row.is_gone,
        reversal_by=record.reversal_by,
    )


def _parse_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Return where a page begins, or None for the first one and for what is not one of our cursors."""
    at, _, last = (cursor or "").partition("_")
    found = parse_id(last)
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    return (moment, found) if found is not None and moment.tzinfo is not None else None
