"""Demo data of exchanges: one in each state, between neighbors with listings."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg

from porchlight.demo_data.gurus import demo_id
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.exchanges.reminders import next_reminder
from porchlight.features.exchanges.rules import answer_until
from tenants.db.rows import Connection, fetch_one
from tenants.kit import clock

ZONE = "America/Denver"


@dataclass(frozen=True, slots=True)
class DemoExchange:
    """An exchange about the first listing of a teacher. `days`: from today to each proposed time."""

    teacher: str
    learner: str
    status: str
    days: tuple[int, ...]
    turn: str = ""
    note: str = ""
    more: dict[str, Any] = field(default_factory=dict)


EXCHANGES = (
    DemoExchange(
        "theo.barnes", "maya.lindqvist", "asked", (4, 5, 7), "teacher", "I would love to learn this before spring."
    ),
    DemoExchange(
        "imani.okoye", "maya.lindqvist", "countered", (6, 8), "learner", "Weekends are best for me.",
        {"round": 2, "reply": "Saturdays are full. Could you come on a weekday evening?", "reply_by": "teacher"},
    ),
    DemoExchange("maya.lindqvist", "sofia.marchetti", "confirmed", (3,), note="I'll bring my own tools."),
    DemoExchange("maya.lindqvist", "caleb.yazzie", "completed", (-12,)),
    DemoExchange(
        "sofia.marchetti", "theo.barnes", "declined", (9,),
        more={"ended_by": "teacher", "reply": "I'm traveling all month. Ask me in March?", "reply_by": "teacher"},
    ),
    DemoExchange(
        "caleb.yazzie", "imani.okoye", "canceled", (2,),
        more={"ended_by": "learner", "reply": "My daughter has a recital that evening.", "reply_by": "learner"},
    ),
    DemoExchange("theo.barnes", "caleb.yazzie", "expired", (-2, -1)),
)  # fmt: skip
_OFFER = "SELECT id, title FROM skill_offers WHERE user_id = %s AND visible ORDER BY title, id LIMIT 1"
_INSERT = """
INSERT INTO exchanges (person_a_id, person_b_id, id, teacher_id, offer_id, skill, status, turn, round, proposals,
                       minutes, place, note, reply, reply_by, teacher_zone, learner_zone, starts_at, ends_at,
                       expires_at, ended_by, remind_at, idempotency_key, digest)
VALUES (%(a)s, %(b)s, %(id)s, %(teacher)s, %(offer)s, %(skill)s, %(status)s, %(turn)s, %(round)s, %(proposals)s,
        60, 'teacher', %(note)s, %(reply)s, %(reply_by)s, %(zone)s, %(zone)s, %(starts_at)s, %(ends_at)s,
        %(expires_at)s, %(ended_by)s, %(remind_at)s, %(key)s, '')
ON CONFLICT DO NOTHING"""


@dataclass(frozen=True, slots=True)
class _Offer:
    id: UUID
    title: str


def load_all(service_dsn: str) -> int:
    """Create the exchanges that are missing. Return how many were created."""
    with psycopg.connect(service_dsn) as conn:
        return sum(_load(conn, one) for one in EXCHANGES)


def _load(conn: Connection, demo: DemoExchange) -> int:
    """Create an exchange. Return 0 if it exists, or its teacher has no listing."""
    teacher, learner = (neighbor_id(f"{name}@example.com") for name in (demo.teacher, demo.learner))
    offer = fetch_one(conn, _Offer, _OFFER, [teacher])
    if offer is None:
        return 0
    now = clock.now()
    evening = now.replace(hour=1, minute=0, second=0, microsecond=0)  # 6 or 7 PM of the day before in Denver
    proposals = [evening + timedelta(days=days) for days in demo.days]
    is_open, is_agreed = demo.turn != "", demo.status in {"confirmed", "completed", "canceled"}
    people = sorted((teacher, learner))
    exchange_id = demo_id("exchange", demo.teacher, demo.learner, demo.status)
    values: dict[str, Any] = {
        "a": people[0], "b": people[1], "id": exchange_id, "teacher": teacher, "offer": offer.id, "skill": offer.title,
        "status": demo.status, "turn": demo.turn, "round": 1, "proposals": proposals, "note": demo.note, "reply": "",
        "reply_by": "", "zone": ZONE, "starts_at": proposals[0] if is_agreed else None,
        "ends_at": proposals[0] + timedelta(hours=1) if is_agreed else None,
        "expires_at": answer_until(now, proposals) if is_open else None, "ended_by": "",
        "remind_at": next_reminder(proposals[0], now) if demo.status == "confirmed" else None, "key": str(exchange_id),
    }  # fmt: skip
    return conn.execute(_INSERT, values | demo.more).rowcount
