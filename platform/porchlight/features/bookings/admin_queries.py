"""Sessions of all gurus for staff.

Staff need to find a session, understand what happened and cancel it. So they see guru, neighbor, service, times, status
and history, and the handle of the neighbor's profile in the details only. Participants, notes, answers and places stay
with the two parties.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from tenants.db.list_search import Search, SearchQueries, contains, search_rows
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import PAGE_SIZE, encode_cursor, parse_cursor

# After this time, staff cancel the confirmed sessions of a suspended site or restore the site.
SUSPENSION_HOURS = 72
Site = Literal["suspended", "overdue"]
MAX_EVENTS = 200
# A local day starts within a day of the same day in UTC. The index limits the rows by that first.
_ZONE_MARGIN = timedelta(days=1)

_COLUMNS = """
SELECT b.id, b.starts_at, b.guru_label, b.guru_name, b.person_name, b.service_name, b.ends_at, b.zone, b.status,
       b.party,
       CASE WHEN g.status = 'suspended' THEN coalesce(g.suspended_at, g.updated_at) END AS suspended_at"""
# Of a session from before local times were stored, the day in UTC.
_LOCAL_DAY = """
coalesce((SELECT a.local_start FROM appointments a WHERE a.tenant_id = b.tenant_id AND a.id = b.appointment_id),
         b.starts_at AT TIME ZONE 'UTC')::date"""
_SHOWN = f"""b.status NOT IN ('held', 'expired')
   AND (%(status)s::text IS NULL OR b.status = %(status)s)
   AND (%(guru)s = '' OR (g.label >= %(guru)s AND g.label < %(guru_end)s))
   AND (%(site)s::text IS NULL OR g.status = 'suspended')
   AND (%(site)s::text IS DISTINCT FROM 'overdue' OR (b.status IN ('requested', 'confirmed') AND b.ends_at > app.now()
        AND (g.suspended_at IS NULL OR g.suspended_at < app.now() - make_interval(hours => %(hours)s))))
   AND (%(first)s::date IS NULL OR (b.starts_at >= %(not_before)s
        AND {_LOCAL_DAY} >= %(first)s))
   AND (%(last)s::date IS NULL OR (b.starts_at <= %(not_after)s
        AND {_LOCAL_DAY} <= %(last)s))
   AND (%(cursor_time)s::timestamptz IS NULL OR (b.starts_at, b.id) > (%(cursor_time)s, %(cursor_id)s))"""
_ORDER = "ORDER BY b.starts_at, b.id"
_LIST = f"{_COLUMNS} FROM bookings b JOIN gurus g ON g.id = b.tenant_id WHERE {_SHOWN} {_ORDER} LIMIT %(limit)s"
_HAS_TEXT = f"({contains('b.service_name')} OR {contains('b.guru_name')})"
_RECENT = f"""{_COLUMNS}
  FROM (SELECT b.* FROM bookings b JOIN gurus g ON g.id = b.tenant_id WHERE {_SHOWN} {_ORDER} LIMIT %(recent)s) b
  JOIN gurus g ON g.id = b.tenant_id WHERE {_HAS_TEXT} {_ORDER} LIMIT %(limit)s"""
# The times of the matches are sorted before their gurus are read. A session costs four times as much as a user.
_MATCHES = f"""
WITH matches AS MATERIALIZED (
  SELECT b.id, b.tenant_id, b.appointment_id, b.status, b.starts_at, b.ends_at, b.zone FROM bookings b
   WHERE {_HAS_TEXT} AND b.status NOT IN ('held', 'expired') LIMIT %(many)s / 4 + 1
)
SELECT CASE WHEN (SELECT count(*) FROM matches) <= %(many)s / 4 THEN ARRAY(
  SELECT b.id FROM (SELECT * FROM matches ORDER BY starts_at, id) b
   CROSS JOIN LATERAL (SELECT * FROM gurus g WHERE g.id = b.tenant_id OFFSET 0) g
   WHERE {_SHOWN} {_ORDER} LIMIT %(limit)s) END"""
_ROWS = f"{_COLUMNS} FROM bookings b JOIN gurus g ON g.id = b.tenant_id WHERE b.id = ANY (%(ids)s) {_ORDER}"
# Written as a CASE, which Postgres expects to match half of the rows, so that it uses the index on the times.
_SCAN = f"""{_COLUMNS}
  FROM bookings b JOIN gurus g ON g.id = b.tenant_id
 WHERE CASE WHEN {_HAS_TEXT} THEN true END AND {_SHOWN} {_ORDER} LIMIT %(limit)s"""
_TEXT_SEARCH = SearchQueries(recent=_RECENT, matches=_MATCHES, rows=_ROWS, scan=_SCAN)
# The trigram index finds beginnings of one or two characters, too.
SEARCH = Search(anywhere=_TEXT_SEARCH, beginning=_TEXT_SEARCH)
_BY_ID = (
    _COLUMNS
    + """,
       p.handle, b.price_cents, b.currency, b.owed_cents, b.waiver_until, b.created_at,
       b.status IN ('requested', 'confirmed') AND b.starts_at > app.now() AS can_cancel,
       CASE b.place WHEN 'online' THEN b.person_zone ELSE '' END AS person_zone, b.tenant_id
  FROM bookings b JOIN gurus g ON g.id = b.tenant_id LEFT JOIN profiles p ON p.user_id = b.person_id
 WHERE b.id = %(id)s AND b.status NOT IN ('held', 'expired')"""
)
_HISTORY = """
SELECT at, actor, event, details FROM booking_events
 WHERE tenant_id = %(tenant)s AND booking_id = %(id)s AND event <> 'held' ORDER BY number DESC LIMIT %(limit)s"""


@dataclass(frozen=True, slots=True)
class _Session:
    id: UUID
    starts_at: datetime
    guru_label: str
    guru_name: str
    person_name: str
    service_name: str
    ends_at: datetime
    zone: str
    status: str
    party: int
    suspended_at: datetime | None


@dataclass(frozen=True, slots=True)
class _SessionDetails(_Session):
    handle: str | None
    price_cents: int | None
    currency: str
    owed_cents: int | None
    waiver_until: datetime | None
    created_at: datetime
    can_cancel: bool
    person_zone: str
    tenant_id: UUID


class _HistoryEvent(NamedTuple):
    at: datetime
    actor: str
    event: str
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SessionFilters:
    """Filters of the list. `guru`: the beginning of a label; `search`: part of a service's or a guru's name.

    `first` and `last`: days of the start in the guru's zone. `site`: sites that are suspended, or "overdue": suspended
    for more than SUSPENSION_HOURS with sessions ahead.
    """

    search: str
    guru: str
    status: str | None
    site: Site | None
    first: date | None
    last: date | None


async def sessions(service_db: Database, filters: SessionFilters, cursor: str | None) -> dict[str, Any]:
    """Return a page of the sessions of all gurus, the earliest first. Raises ValidationFailed for a bad cursor."""
    cursor_time, cursor_id = parse_cursor(cursor or None)
    midnight = {
        "not_before": _utc_midnight(filters.first) - _ZONE_MARGIN if filters.first else None,
        "not_after": _utc_midnight(filters.last) + 2 * _ZONE_MARGIN if filters.last else None,
    }
    guru = filters.guru.strip().lower()
    params = midnight | {
        "status": filters.status, "site": filters.site, "hours": SUSPENSION_HOURS, "first": filters.first,
        "last": filters.last, "guru": guru, "guru_end": guru + "\U0010ffff", "cursor_time": cursor_time,
        "cursor_id": cursor_id,
    }  # fmt: skip
    if filters.search.strip():
        rows = await search_rows(service_db, SEARCH, filters.search, params, _Session)
    else:
        rows = await service_db.read(None, _LIST, params | {"limit": PAGE_SIZE + 1}, row=_Session)
    page = rows[:PAGE_SIZE]
    more = encode_cursor(page[-1].starts_at, page[-1].id) if len(rows) > PAGE_SIZE else None
    return {"items": [_to_session(row) for row in page], "nextCursor": more}


async def session(service_db: Database, booking_id: UUID) -> dict[str, Any]:
    """Return a session with its history. Raises NotFound."""
    rows = await service_db.read(None, _BY_ID, {"id": booking_id}, row=_SessionDetails)
    if not rows:
        raise NotFound
    (found,) = rows
    params = {"tenant": found.tenant_id, "id": booking_id, "limit": MAX_EVENTS}
    history = await service_db.read(None, _HISTORY, params, row=_HistoryEvent)
    return _to_session(found) | {
        "handle": found.handle,
        "personZone": found.person_zone,
        "priceCents": found.price_cents,
        "currency": found.currency,
        "owedCents": found.owed_cents,
        "waiverUntil": _iso(found.waiver_until),
        "createdAt": _iso(found.created_at),
        "canCancel": found.can_cancel,
        "history": [_to_event(event) for event in reversed(history)],
    }


def _to_session(row: _Session) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "guru": row.guru_label,
        "guruName": row.guru_name,
        "personName": row.person_name,
        "serviceName": row.service_name,
        "startsAt": _iso(row.starts_at),
        "endsAt": _iso(row.ends_at),
        "zone": row.zone,
        "status": row.status,
        "party": row.party,
        "suspendedAt": _iso(row.suspended_at),
    }


def _to_event(row: _HistoryEvent) -> dict[str, Any]:
    return {
        "at": _iso(row.at),
        "actor": row.actor,
        "event": row.event,
        "reason": row.details.get("reason", ""),
        "owedCents": row.details.get("owed_cents", 0),
        "movedFrom": row.details.get("from"),
        "movedTo": row.details.get("to"),
    }


def _utc_midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _iso(moment: datetime | None) -> str | None:
    return clock.to_iso8601(moment) if moment is not None else None
