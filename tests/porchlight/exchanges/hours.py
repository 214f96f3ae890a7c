"""Sessions for hours, as tests need them: agreed on through the API, or as rows with their postings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg

from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.exchanges.people import accept, ask
from tests.porchlight.exchanges.test_exchange_rows import seed_exchange

WEEK = timedelta(days=7)
_END = """
UPDATE exchanges SET starts_at = %(start)s, ends_at = %(start)s + make_interval(mins => minutes),
       settle_by = settle_by + (%(start)s - starts_at)
 WHERE id = %(id)s"""
_HOURS = """
SELECT coalesce(sum(b.credits - b.debits), 0)::int, coalesce(sum(b.reserved), 0)::int, min(b.floor)::int
  FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id WHERE a.kind = 'hours' AND a.user_id = %s"""


async def list_for(teacher: ApiUser, *terms: str, title: str = "Sourdough baking") -> str:
    """List a skill that is given for some of hours, swap, free, and return its id."""
    body = {"title": title, "terms": list(terms)}
    response = await teacher.request("POST", "/api/skills/offers", json=body)
    assert response.status_code == 201, response.text
    return str(next(one["id"] for one in response.json()["data"]["offers"] if one["title"] == title))


async def past_session(
    database: Database, teacher: ApiUser, learner: ApiUser, mode: str = "hours", **changes: Any
) -> dict[str, Any]:
    """Agree on a session that ended an hour ago, and return it as the teacher sees it."""
    exchange = await accept(teacher, await ask(learner, await list_for(teacher, mode), mode=mode, **changes))
    end_session(database, exchange)
    seen: dict[str, Any] = await teacher.get(f"/api/exchanges/{exchange['id']}")
    return seen


def end_session(database: Database, exchange: dict[str, Any]) -> None:
    """Move an agreed session into the past: it ended an hour ago."""
    start = clock.now() - timedelta(minutes=exchange["minutes"] + 60)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(_END, {"start": start, "id": exchange["id"]})


def expire_record(database: Database, exchange: dict[str, Any]) -> None:
    """Let the time to record or to object be over."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE exchanges SET settle_by = %s WHERE id = %s", [clock.now(), exchange["id"]])


async def record(
    person: ApiUser, exchange: dict[str, Any], minutes: int, seen: int = 0, words: str = ""
) -> httpx.Response:
    """Record the time, or object to what was recorded in the round that the person saw."""
    body = {"minutes": minutes, "round": seen, "words": words}
    return await person.request("PUT", f"/api/exchanges/{exchange['id']}/time", json=body)


async def confirm(person: ApiUser, exchange: dict[str, Any], seen: int = 1) -> httpx.Response:
    """Confirm the recorded time."""
    return await person.request("PUT", f"/api/exchanges/{exchange['id']}/settlement", json={"round": seen})


async def reverse(person: ApiUser, exchange: dict[str, Any], *, wanted: bool = True) -> httpx.Response:
    """Want what was settled taken back, or not."""
    return await person.request("PUT", f"/api/exchanges/{exchange['id']}/reversal", json={"wanted": wanted})


def hours_of(database: Database, person: UUID) -> tuple[int, int, int | None]:
    """Return balance, reserved minutes and floor of a person's account."""
    with psycopg.connect(database.service_url) as conn:
        row: tuple[int, int, int | None] | None = conn.execute(_HOURS, [person]).fetchone()
    assert row is not None
    return row


def seed_agreed(
    conn: psycopg.Connection[Any], teacher: UUID, learner: UUID, mode: str = "hours", **columns: Any
) -> UUID:
    """Create the row of a session that ended and waits for its record, without its hold."""
    start = clock.now() - timedelta(hours=2)
    agreed: dict[str, Any] = {
        "mode": mode, "status": "completed", "turn": "", "expires_at": None, "starts_at": start,
        "ends_at": start + timedelta(hours=1), "settle_by": start + WEEK,
    }  # fmt: skip
    return seed_exchange(conn, teacher, learner, **(agreed | columns))


def seed_settled(
    conn: psycopg.Connection[Any], teacher: UUID, learner: UUID, minutes: int, mode: str = "hours"
) -> UUID:
    """Create a settled session, and post it."""
    now = clock.now()
    settled = {
        "record_state": "settled", "recorded_minutes": minutes, "recorded_by": "teacher", "record_round": 1,
        "settle_by": None, "settled_at": now,
    }  # fmt: skip
    row_id = seed_agreed(conn, teacher, learner, mode, **settled)
    conn.execute("SELECT app.enter_exchange(%s)", [row_id])
    return row_id
