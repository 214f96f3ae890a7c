"""Demo data of Angel's List: angels, completed needs with ratings, open needs and offers."""

from __future__ import annotations

import secrets
import tomllib
from datetime import datetime, time, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.angels import rules
from porchlight.geo.obfuscation import obfuscate
from tenants.db.rows import Connection, fetch_value, fetch_values
from tenants.kit import clock

CONTENT_FILE = Path(__file__).parent / "angels.toml"
MAX_STARS = 5
COMPLETED_FILE = Path(__file__).parent / "completed_needs.toml"


TOWN_COORDINATES = {"Denver": (39.7392, -104.9847), "Boulder": (40.015, -105.2706)}
_NEED = """
INSERT INTO needs (user_id, id, service_id, title, description, wanted_from, wanted_until, time_note, hours,
                   budget_cents, low_cents, high_cents, city, region, latitude, longitude, status, accepted_offer_id,
                   accepted_user_id, rating, review, idempotency_key, expires_at, created_at, updated_at)
VALUES (%(user_id)s, %(id)s, %(service)s, %(title)s, %(description)s, %(first)s, %(last)s, %(note)s, %(hours)s,
        %(budget)s, %(low)s, %(high)s, %(city)s, 'Colorado', %(latitude)s, %(longitude)s, %(status)s, %(offer)s,
        %(angel)s, %(rating)s, %(review)s, %(key)s, %(expires)s, %(created)s, %(created)s)
ON CONFLICT DO NOTHING RETURNING id"""
_OFFER = """
INSERT INTO need_offers (user_id, id, need_id, price_cents, message, created_at, updated_at)
VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
_FAIR_PRICE = """
SELECT low, high FROM app.fair_price(
  %(service)s, %(latitude)s, %(longitude)s, %(near_miles)s, %(min_near)s, %(low_quartile)s, %(high_quartile)s,
  %(quartile_deviations)s, %(years)s, %(max_jobs)s, %(min_rate)s, %(max_rate)s)"""
_NOTICE = "INSERT INTO need_notices (user_id, need_id, sent_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


def _uuid7_at(time: datetime) -> UUID:
    """Return a UUIDv7 of a time in the past, because lists are sorted by id."""
    stamp = int(time.timestamp() * 1000) << 80
    return UUID(int=stamp | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62))


def _town_of(conn: Connection, user_id: UUID) -> str:
    location = fetch_value(conn, str, "SELECT location FROM profiles WHERE user_id = %s", [user_id])
    name = (location or "").split(",")[0]
    return name if name in TOWN_COORDINATES else "Denver"


def load(conn: Connection) -> int:
    """Create the demo's angels and needs, unless the database already has angels. Return the number of angels."""
    content = tomllib.loads(CONTENT_FILE.read_text(encoding="utf-8"))
    known = set(fetch_values(conn, UUID, "SELECT user_id FROM users WHERE status = 'active'"))
    if conn.execute("SELECT FROM angels LIMIT 1").fetchone() is not None:
        return 0
    completed = {
        service: iter(enumerate(needs)) for service, needs in tomllib.loads(COMPLETED_FILE.read_text("utf-8")).items()
    }
    customers = cycle(sorted(user for user in known if user != neighbor_id("jonah.pruitt@example.com")))
    for angel in content["angels"]:
        user_id = neighbor_id(angel["email"])
        if user_id not in known:
            continue
        town = _town_of(conn, user_id)
        north, east = TOWN_COORDINATES[town]
        latitude, longitude = obfuscate(north + angel["shift"][0] / 100, east + angel["shift"][1] / 100)
        for service, help_ in angel["services"].items():
            conn.execute(
                "INSERT INTO angels (user_id, service_id, rate_cents, about, days, radius_miles, city, region,"
                " latitude, longitude, jobs, ratings, rating_sum)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, 'Colorado', %s, %s, %s, %s, %s)",
                [user_id, service, help_["rate"] * 100, help_["about"], help_["days"], help_["miles"], town, latitude,
                 longitude, len(help_["ratings"]), len(help_["ratings"]), sum(help_["ratings"])],
            )  # fmt: skip
            for rating in help_["ratings"]:
                customer = next(customers)
                if customer == user_id:
                    customer = next(customers)
                number, (title, review) = next(completed[service])
                job = CompletedJob(service, title, review if rating == MAX_STARS else "", help_["rate"], rating, number)
                _add_completed_need(conn, customer, user_id, job)
    ids = {need["title"]: _add_open_need(conn, need) for need in content["needs"]}
    for offer in content["offers"]:
        now = clock.now()
        price, message = offer["price"] * 100, offer["message"]
        conn.execute(
            _OFFER, [neighbor_id(offer["email"]), _uuid7_at(now), ids[offer["need"]], price, message, now, now]
        )
    return len(content["angels"])


def _row(conn: Connection, owner: UUID, key: str, **columns: Any) -> dict[str, Any]:
    town = _town_of(conn, owner)
    north, east = TOWN_COORDINATES[town]
    # A fixed place in town.
    latitude, longitude = obfuscate(north + (owner.int % 9 - 4) / 100, east + (owner.int % 11 - 5) / 100)
    return {
        "user_id": owner, "id": _uuid7_at(columns["created"]), "note": "", "low": None, "high": None, "city": town,
        "latitude": latitude, "longitude": longitude, "status": "open", "offer": None, "angel": None, "rating": None,
        "review": "", "key": key,
    } | columns  # fmt: skip


class CompletedJob(NamedTuple):
    """A need that an angel met. `rate`: dollars per hour; `number`: its place among those of its service."""

    service: str
    title: str
    review: str
    rate: int
    rating: int
    number: int


def _add_completed_need(conn: Connection, customer: UUID, angel: UUID, job: CompletedJob) -> None:
    service, title, review, rate, rating, number = job
    key = f"{service} {angel} {number}"
    # Days apart, and at another hour for each service, so that no two are alike.
    created = clock.now() - timedelta(days=9 + 8 * number + len(service) % 7, hours=3 * len(title) % 11)
    offer = _uuid7_at(created)
    day = created.date()
    hours = 2 + number % 3
    need = _row(
        conn, customer, key, service=service, title=title, description=f"{title}, and thank you.", first=day,
        last=day + timedelta(days=3), hours=hours, budget=hours * rate * 100, status="done", offer=offer, angel=angel,
        rating=rating, review=review, expires=created + timedelta(days=4), created=created,
    )  # fmt: skip
    conn.execute(_NEED, need)
    conn.execute(_NOTICE, [angel, need["id"], created])
    price, message = hours * rate * 100, "Happy to help."
    answered = created + timedelta(minutes=25 + 40 * (number % 4))
    conn.execute(_OFFER, [angel, offer, need["id"], price, message, answered, answered])


def _add_open_need(conn: Connection, need: dict[str, Any]) -> UUID:
    now = clock.now()
    first, last = (now.date() + timedelta(days=days) for days in need["days"])
    row = _row(
        conn, neighbor_id(need["email"]), need["title"], service=need["service"], title=need["title"],
        description=need["description"], first=first, last=last, note=need["note"], hours=need["hours"],
        budget=need["budget"] * 100, expires=datetime.combine(last + timedelta(days=1), time(12), now.tzinfo),
        created=now,
    )  # fmt: skip
    price = conn.execute(_FAIR_PRICE, row | rules.FAIR_PRICE_PARAMS).fetchone()
    if price is not None:
        row |= {
            name: round(rate * need["hours"] / 100) * 100 for name, rate in zip(("low", "high"), price, strict=True)
        }
    conn.execute(_NEED, row)
    need_id: UUID = row["id"]
    return need_id


def load_all(service_dsn: str) -> int:
    """Load all angels and needs in one transaction. Return the number of angels."""
    with psycopg.connect(service_dsn) as conn:
        return load(conn)
