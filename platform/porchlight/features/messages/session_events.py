"""Events of sessions between the messages with a guru: read from the history of bookings, not stored again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.messages.queries import MessageRow
from porchlight.features.messages.schemas import EventType, MessageCard, SessionEvent
from tenants.kit import clock

MAX_EVENTS = 50  # of a page
MAX_RECENT = 20  # of a thread that changed
# A hold, an expired request and a missed session are no news between the two.
_TYPES: dict[tuple[str, str], EventType] = {
    ("requested", "person"): "requested",
    ("confirmed", "person"): "booked",
    ("confirmed", "guru"): "accepted",
    ("declined", "guru"): "declined",
    **{(event, actor): event for event in ("canceled", "completed", "moved") for actor in ("person", "guru", "system")},
}
_EVENTS = text("""
SELECT e.booking_id, e.number, e.at, e.actor, e.event, b.service_name, b.starts_at, b.zone
  FROM booking_events e JOIN bookings b ON b.tenant_id = e.tenant_id AND b.id = e.booking_id
 WHERE e.tenant_id = :guru AND e.person_id = :person AND e.event = ANY (:names)
   AND (CAST(:since AS timestamptz) IS NULL OR e.at >= :since)
   AND (CAST(:until AS timestamptz) IS NULL OR e.at < :until)
 ORDER BY e.at DESC, e.booking_id, e.number DESC LIMIT :limit""")


# With the number of the message before each event, by which clients put it in its place.
_RECENT = text("""
WITH wanted AS MATERIALIZED (
  SELECT m.thread_id, m.side, t.guru_id, t.person_a_id,
         CASE m.side WHEN 'guru' THEN m.other_id ELSE m.user_id END AS person_id
    FROM thread_members m
    JOIN threads t ON t.person_a_id = least(m.user_id, m.other_id) AND t.id = m.thread_id
   WHERE m.user_id = :user AND m.thread_id = ANY (:threads) AND t.guru_id IS NOT NULL
)
SELECT w.thread_id, w.side,
       coalesce((SELECT g.number FROM messages g
                  WHERE g.person_a_id = w.person_a_id AND g.thread_id = w.thread_id AND g.created_at < x.at
                  ORDER BY g.number DESC LIMIT 1), 0) AS message,
       x.booking_id, x.number, x.at, x.actor, x.event, x.service_name, x.starts_at, x.zone
  FROM wanted w CROSS JOIN LATERAL (
    SELECT e.booking_id, e.number, e.at, e.actor, e.event, b.service_name, b.starts_at, b.zone
      FROM booking_events e JOIN bookings b ON b.tenant_id = e.tenant_id AND b.id = e.booking_id
     WHERE e.tenant_id = w.guru_id AND e.person_id = w.person_id AND e.event = ANY (:names)
     ORDER BY e.at DESC, e.booking_id, e.number DESC LIMIT :limit) x
 ORDER BY x.at, x.booking_id, x.number""")


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of a booking's history, as its two sides see it."""

    booking_id: UUID
    number: int
    at: datetime
    actor: str
    event: str
    service_name: str
    starts_at: datetime
    zone: str

    @property
    def type(self) -> EventType | None:
        """Return what the event is to people, or None if it is no news."""
        return _TYPES.get((self.event, self.actor))


async def events(
    session: AsyncSession, guru_id: UUID, person_id: UUID, *, since: datetime | None, until: datetime | None
) -> list[Event]:
    """Return the newest events between a customer and a guru in a period, in the order of time.

    In a transaction of the customer, or of the guru that acts for the tenant: anyone else gets none.
    """
    values = {
        "guru": guru_id, "person": person_id, "since": since, "until": until, "limit": MAX_EVENTS,
        "names": sorted({event for event, _ in _TYPES}),
    }  # fmt: skip
    rows = await session.execute(_EVENTS, values)
    found = [Event(**row) for row in rows.mappings()]
    return [event for event in reversed(found) if event.type is not None]


async def recent_events(session: AsyncSession, user_id: UUID, threads: Sequence[UUID]) -> list[MessageCard]:
    """Return the newest events of those of a user's threads that are with a guru's site, in the order of time.

    Which of them are new to a client, it knows by their ids. In a transaction of the user, who also acts for the tenant
    that they own.
    """
    values = {
        "user": user_id, "threads": list(threads), "limit": MAX_RECENT, "names": sorted({event for event, _ in _TYPES}),
    }  # fmt: skip
    found = []
    for row in (await session.execute(_RECENT, values)).mappings():
        columns = dict(row)
        thread_id, side, message = columns.pop("thread_id"), columns.pop("side"), columns.pop("message")
        event = Event(**columns)
        if event.type is not None:
            found.append(event_card(event, thread_id, message, side))
    return found


def merge(messages: list[MessageCard], rows: list[MessageRow], found: list[Event], *, mine: str) -> list[MessageCard]:
    """Return messages and events in the order of time. `mine`: the side of the reader, "person" or "guru"."""
    merged: list[MessageCard] = []
    left = list(found)
    number = rows[0].number - 1 if rows else 0
    for card, row in zip(messages, rows, strict=True):
        while left and left[0].at <= row.created_at:
            merged.append(event_card(left.pop(0), row.thread_id, number, mine))
        merged.append(card)
        number = row.number
    if rows:
        merged += [event_card(event, rows[-1].thread_id, number, mine) for event in left]
    return merged


def event_card(event: Event, thread_id: UUID, number: int, mine: str) -> MessageCard:
    """Return an event as a card between messages. Its id stays the same in every answer."""
    kind = event.type
    if kind is None:
        raise ValueError("this event is no news")
    return MessageCard(
        thread_id=str(thread_id),
        number=number,
        id=f"{event.booking_id}-{event.number}",
        kind="event",
        mine=event.actor == mine,
        body="",
        event=SessionEvent(
            type=kind,
            booking_id=str(event.booking_id),
            service_name=event.service_name,
            starts_at=clock.to_iso8601(event.starts_at),
            zone=event.zone,
        ),
        files=[],
        at=clock.to_iso8601(event.at),
        removed=False,
        idempotency_key=None,
    )
