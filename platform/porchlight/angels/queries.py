"""Reading Angel's List: kinds of help with what their angels ask and are told, and the angels themselves."""

from __future__ import annotations

import base64
import binascii
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Double, Integer, Text, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.angels.models import Angel, AngelService
from porchlight.angels.places import Spot
from porchlight.angels.planting import categories
from tenants.kit.db import Database
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.money import dollars
from tenants.session import unit_of_work

ALL_CITIES = "all cities"  # what the filters send for "no filter" (SPEC 2.9)
ALL = "all"
PAGE = 20
CITIES = 50  # offered as filters at most
OWN_PHOTOS = "/api/photos/"

_SERVICES = """
SELECT id, title, description, avg_price_cents, city, category FROM angel_services ORDER BY position, id LIMIT 500
"""
_STATS = "SELECT service_id, city, angels, rate_sum, ratings, rating_sum FROM app.angel_stats()"
_ANGELS = text(
    "SELECT handle, miles, score, shown FROM app.angels_for(:service, :city, :latitude, :longitude, :miles, :score,"
    " :handle, :most)"
).bindparams(
    bindparam("latitude", type_=Double),
    bindparam("longitude", type_=Double),
    bindparam("miles", type_=Integer),
    bindparam("score", type_=Double),
    bindparam("handle", type_=Text),
)
_STALE = {"cursor": "This link into the list is no longer valid."}


def rating_of(ratings: int, rating_sum: int) -> float | None:
    """Out of five with one decimal; None before the first."""
    return round(rating_sum / ratings, 1) if ratings else None


def photo_url(shown: dict[str, Any]) -> str:
    """Where somebody's picture is, from what a function shows of them; "" without one."""
    return f"{OWN_PHOTOS}{shown['photo_id']}.webp" if shown["photo_id"] else str(shown["photo_url"])


def _counted(rows: list[tuple[Any, ...]], typical: int) -> dict[str, Any]:
    """Providers, average price and rating of some rows of the counts; the typical price where nobody is."""
    angels = sum(row[2] for row in rows)
    ratings, rating_sum = sum(int(row[4]) for row in rows), sum(int(row[5]) for row in rows)
    cents = round(sum(int(row[3]) for row in rows) / angels / 100) * 100 if angels else typical
    return {"providers": angels, "avgPrice": dollars(cents), "rating": rating_of(ratings, rating_sum)}


async def _everything(db: Database) -> tuple[list[dict[str, Any]], list[str]]:
    services = await db.read(None, _SERVICES, [])
    stats = await db.read(None, _STATS, [])
    shown = []
    weights: dict[str, int] = {}
    for id_, title, description, typical, home, category in services:
        rows = [row for row in stats if row[0] == id_]
        weights[home] = weights.get(home, 0)
        for row in rows:
            weights[row[1]] = weights.get(row[1], 0) + row[2]
        shown.append(
            {"id": id_, "title": title, "description": description}
            | _counted(rows, typical)
            | {
                "city": rows[0][1] if rows else home,
                "category": category,
                "cities": [{"city": row[1]} | _counted([row], typical) for row in rows],
            }
        )
    return shown, sorted(weights, key=lambda name: (-weights[name], name))[:CITIES]


def _is_in(service: dict[str, Any], city: str) -> bool:
    places = [place["city"] for place in service["cities"]] or [service["city"]]
    return city in (place.lower() for place in places)


async def services(db: Database, *, search: str = "", city: str = "", category: str = "") -> dict[str, Any]:
    """{services, cities, categories}: the services the filters let through, and all there is to filter by."""
    sought = " ".join(search.lower().split())
    wanted_city, wanted_category = city.strip().lower(), category.strip().lower()
    found, cities = await _everything(db)
    if wanted_city not in ("", ALL_CITIES):
        found = [service for service in found if _is_in(service, wanted_city)]
    if wanted_category not in ("", ALL):
        found = [service for service in found if service["category"].lower() == wanted_category]
    if sought:
        words = ("title", "description", "category", "city")
        found = [service for service in found if sought in " ".join(service[word] for word in words).lower()]
    return {"services": found, "cities": cities, "categories": list(categories())}


def _cursor(row: tuple[Any, ...]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([row[1], row[2], row[0]])).decode().rstrip("=")


def _after(cursor: str | None) -> tuple[int | None, float | None, str | None]:
    if not cursor:
        return None, None, None
    try:
        miles, score, handle = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError) as fault:
        raise ValidationFailed(fields=_STALE) from fault
    fits = type(miles) is int and abs(miles) < 50_000 and isinstance(score, (int, float)) and isinstance(handle, str)
    if not fits or "\0" in handle:
        raise ValidationFailed(fields=_STALE)
    return miles, float(score), handle


async def angels_for(
    db: Database, viewer: UUID | None, service_id: str, *, city: str, near: Spot | None, cursor: str | None
) -> dict[str, Any]:
    """The angels for a service, the nearest first, then the best rated. Raises NotFound, ValidationFailed."""
    after = _after(cursor)
    found, _ = await _everything(db)
    service = next((service for service in found if service["id"] == service_id), None)
    if service is None:
        raise NotFound
    wanted = city.strip().lower()
    asked = {
        "service": service_id,
        "city": "" if wanted == ALL_CITIES else wanted,
        "latitude": near.latitude if near else None,
        "longitude": near.longitude if near else None,
        "miles": after[0],
        "score": after[1],
        "handle": after[2],
        "most": PAGE + 1,
    }
    async with unit_of_work(db, user_id=viewer) as session:
        rows = (await session.execute(_ANGELS, asked)).all()
    return {
        "service": service,
        "angels": [
            {
                "handle": shown["handle"],
                "name": shown["name"],
                "photoURL": photo_url(shown),
                "about": shown["about"],
                "rateCents": shown["rate_cents"],
                "days": sorted(shown["days"]),
                "radiusMiles": shown["radius_miles"],
                "city": shown["city"],
                "region": shown["region"],
                "miles": miles if near else None,
                "jobs": shown["jobs"],
                "rating": rating_of(shown["ratings"], shown["rating_sum"]),
                "ratings": shown["ratings"],
                "mine": shown["mine"] is True,
            }
            for _handle, miles, _score, shown in rows[:PAGE]
        ],
        "nextCursor": _cursor(rows[PAGE - 1]) if len(rows) > PAGE else None,
    }


async def own_services(session: AsyncSession, user_id: UUID) -> dict[str, Any]:
    """Everything the user helps with, and whether others can see it."""
    rows = await session.execute(
        select(Angel, AngelService.title)
        .join(AngelService, AngelService.id == Angel.service_id)
        .where(Angel.user_id == user_id)
        .order_by(AngelService.position)
    )
    shown = await session.scalar(text("SELECT app.neighbour_shown(:id) ->> 'handle'"), {"id": user_id})
    return {
        "public": shown is not None,
        "services": [
            {
                "serviceId": angel.service_id,
                "title": title,
                "rateCents": angel.rate_cents,
                "about": angel.about,
                "days": sorted(angel.days),
                "radiusMiles": angel.radius_miles,
                "mailsADay": angel.mails_a_day,
                "city": angel.city,
                "region": angel.region,
                "active": angel.active,
                "jobs": angel.jobs,
                "rating": rating_of(angel.ratings, angel.rating_sum),
                "ratings": angel.ratings,
            }
            for angel, title in rows
        ],
    }
