"""Demo data of exchanges: one in each state, between neighbors with listings, with their hours in the ledger."""

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
from porchlight.features.exchanges.settlement_rules import OBJECTION_TIME, RECORD_TIME
from tenants.db.rows import Connection, fetch_one
from tenants.kit import clock

ZONE = "America/Denver"


@dataclass(frozen=True, slots=True)
class DemoExchange:
    """An exchange about the first listing of a teacher. `days`: from today to each proposed time.

    `key` tells exchanges of the same two in the same state apart. `recorded`: state, minutes, side and round of the
    recorded time.
    """

    teacher: str
    learner: str
    status: str
    days: tuple[int, ...]
    turn: str = ""
    note: str = ""
    more: dict[str, Any] = field(default_factory=dict)
    mode: str = "swap"
    recorded: tuple[str, int | None, str, int] = ("", None, "", 0)
    key: str = ""


def _past(
    teacher: str, learner: str, day: int, mode: str, recorded: tuple[str, int | None, str, int], **more: Any
) -> DemoExchange:
    """Return an exchange that took place some days ago."""
    return DemoExchange(
        teacher, learner, "completed", (day,), more=more, mode=mode, recorded=recorded, key=f"{mode} {-day}"
    )


EXCHANGES = (
    DemoExchange(
        "theo.barnes", "maya.lindqvist", "asked", (4, 5, 7), "teacher", "I would love to learn this before spring."
    ),
    DemoExchange(
        "imani.okoye", "maya.lindqvist", "countered", (6, 8), "learner", "Weekends are best for me.",
        {"round": 2, "reply": "Saturdays are full. Could you come on a weekday evening?", "reply_by": "teacher"},
    ),
    DemoExchange("maya.lindqvist", "sofia.marchetti", "confirmed", (3,), note="I'll bring my own tools.", mode="hours"),
    DemoExchange(
        "maya.lindqvist", "caleb.yazzie", "completed", (-12,), recorded=("settled", 60, "teacher", 1)
    ),
    DemoExchange(
        "sofia.marchetti", "theo.barnes", "declined", (9,),
        more={"ended_by": "teacher", "reply": "I'm traveling all month. Ask me in March?", "reply_by": "teacher"},
    ),
    DemoExchange(
        "caleb.yazzie", "imani.okoye", "canceled", (2,),
        more={"ended_by": "learner", "reply": "My daughter has a recital that evening.", "reply_by": "learner"},
    ),
    DemoExchange("theo.barnes", "caleb.yazzie", "expired", (-2, -1)),
    # Theo's hours: 3 h and 2 h given, 30 minutes taken, which leaves 4 h 30 min.
    _past("theo.barnes", "imani.okoye", -30, "hours", ("settled", 180, "teacher", 1)),
    _past("theo.barnes", "sofia.marchetti", -21, "hours", ("settled", 120, "teacher", 1)),
    _past("caleb.yazzie", "theo.barnes", -14, "hours", ("settled", 30, "learner", 2)),
    _past("theo.barnes", "caleb.yazzie", -1, "hours", ("", None, "", 0)),  # to record
    _past("theo.barnes", "maya.lindqvist", -2, "hours", ("recorded", 90, "teacher", 1)),
    _past(
        "sofia.marchetti", "theo.barnes", -4, "hours", ("recorded", 60, "learner", 2),
        reply="We stopped after an hour, because it rained.", reply_by="learner",
    ),
    _past("imani.okoye", "theo.barnes", -9, "hours", ("unsettled", None, "", 0)),
    _past("caleb.yazzie", "theo.barnes", -40, "hours", ("reversed", 60, "teacher", 1)),
    _past("theo.barnes", "maya.lindqvist", -25, "swap", ("settled", 180, "teacher", 1)),
    _past("maya.lindqvist", "theo.barnes", -18, "swap", ("settled", 60, "teacher", 1)),
    _past("theo.barnes", "caleb.yazzie", -35, "free", ("settled", 180, "teacher", 1)),
)  # fmt: skip
_OFFER = "SELECT id, title FROM skill_offers WHERE user_id = %s AND visible ORDER BY title, id LIMIT 1"
_INSERT = """
INSERT INTO exchanges (person_a_id, person_b_id, id, teacher_id, offer_id, skill, status, turn, round, proposals,
                       minutes, place, note, reply, reply_by, teacher_zone, learner_zone, starts_at, ends_at,
                       expires_at, ended_by, remind_at, mode, record_state, recorded_minutes, recorded_by,
                       record_round, settle_by, settled_at, idempotency_key, digest)
VALUES (%(a)s, %(b)s, %(id)s, %(teacher)s, %(offer)s, %(skill)s, %(status)s, %(turn)s, %(round)s, %(proposals)s,
        60, 'teacher', %(note)s, %(reply)s, %(reply_by)s, %(zone)s, %(zone)s, %(starts_at)s, %(ends_at)s,
        %(expires_at)s, %(ended_by)s, %(remind_at)s, %(mode)s, %(state)s, %(recorded)s, %(recorded_by)s,
        %(record_round)s, %(settle_by)s, %(settled_at)s, %(key)s, '')
ON CONFLICT DO NOTHING"""
_ENTER = "SELECT app.enter_exchange(%s)"


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
    exchange_id = demo_id("exchange", demo.teacher, demo.learner, demo.status, *([demo.key] if demo.key else []))
    ends_at = proposals[0] + timedelta(hours=1)
    state, minutes, recorded_by, record_round = demo.recorded
    is_settled = state in {"settled", "reversed"}
    settle_by = now + OBJECTION_TIME - timedelta(hours=5) if state == "recorded" else ends_at + RECORD_TIME
    is_waiting = state == "recorded" or (state == "" and demo.status in {"confirmed", "completed"})
    values: dict[str, Any] = {
        "a": people[0], "b": people[1], "id": exchange_id, "teacher": teacher, "offer": offer.id, "skill": offer.title,
        "status": demo.status, "turn": demo.turn, "round": 1, "proposals": proposals, "note": demo.note, "reply": "",
        "reply_by": "", "zone": ZONE, "starts_at": proposals[0] if is_agreed else None,
        "ends_at": ends_at if is_agreed else None,
        "expires_at": answer_until(now, proposals) if is_open else None, "ended_by": "",
        "remind_at": next_reminder(proposals[0], now) if demo.status == "confirmed" else None, "key": str(exchange_id),
        "mode": demo.mode, "state": state, "recorded": minutes, "recorded_by": recorded_by,
        "record_round": record_round, "settle_by": settle_by if is_waiting else None,
        "settled_at": ends_at + OBJECTION_TIME if is_settled else None,
    }  # fmt: skip
    created = conn.execute(_INSERT, values | demo.more).rowcount
    if created:
        conn.execute(_ENTER, [exchange_id])
    return created
