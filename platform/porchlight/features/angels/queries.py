"""Read the services of Angel's List and their angels."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

import orjson
from sqlalchemy import Double, Integer, Text, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import profile_photo_url
from porchlight.features.angels import rules
from porchlight.features.angels.locations import Coordinates
from porchlight.features.angels.models import Angel, AngelService
from porchlight.features.angels.sync_catalog import categories
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.base64url import decode_base64url, encode_base64url
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.money import to_dollars

ALL_CITIES = "all cities"  # the filters' value for "no filter" (SPEC 2.9)
ALL_CATEGORIES = "all"
PAGE_SIZE = 20
MAX_CITIES = 50  # in the filter

_SERVICES = """
SELECT id, title, description, avg_price_cents, city, category FROM angel_services ORDER BY position, id LIMIT 500
"""
_STATS = """
SELECT service_id, city, sum(angels)::integer AS angels, sum(rate_sum)::bigint AS rate_sum,
       sum(ratings)::bigint AS ratings, sum(rating_sum)::bigint AS rating_sum
  FROM angel_cells GROUP BY service_id, city ORDER BY sum(angels) DESC, city LIMIT %s"""
_ANGELS = text(
    "SELECT handle, miles, score, card FROM app.angels_for(:service, :city, :latitude, :longitude, :miles, :score,"
    " :handle, :most, :days, :min_answers, :open_after)"
).bindparams(
    bindparam("latitude", type_=Double),
    bindparam("longitude", type_=Double),
    bindparam("miles", type_=Integer),
    bindparam("score", type_=Double),
    bindparam("handle", type_=Text),
)
_OWN_SERVICES = (  # built once, because that takes longer than the query
    select(
        Angel.service_id,
        AngelService.title,
        Angel.rate_cents,
        Angel.about,
        Angel.days,
        Angel.radius_miles,
        Angel.mails_a_day,
        Angel.city,
        Angel.region,
        Angel.active,
        Angel.jobs,
        Angel.ratings,
        Angel.rating_sum,
    )
    .join(AngelService, AngelService.id == Angel.service_id)
    .where(Angel.user_id == bindparam("user"))
    .order_by(AngelService.position)
)
_IS_PUBLIC = text("SELECT is_public AND registered_at IS NOT NULL FROM profiles WHERE user_id = :user")
_INVALID_CURSOR = {"cursor": "This link to the list is no longer valid."}


def average_rating(ratings: int, rating_sum: int) -> float | None:
    """Return the average rating, 1 to 5 with one decimal, or None without ratings."""
    return round(rating_sum / ratings, 1) if ratings else None


def to_review(card: dict[str, Any]) -> dict[str, Any]:
    """Return a review (ReviewResponse) from the JSON of the SQL function app.angels_for."""
    return card | {"hours": float(card["hours"])}


def photo_url(user: dict[str, Any]) -> str:
    """Return the URL of a user's photo, or "". `user` is a row of the SQL functions that show other users."""
    return profile_photo_url(user["photo_id"], user["photo_url"])


class _CityStats(NamedTuple):
    service_id: str
    city: str
    angels: int
    rate_sum: int
    ratings: int
    rating_sum: int


def _totals(stats: list[_CityStats], typical_cents: int) -> dict[str, Any]:
    """Return the providers, average price and rating of rows of `_STATS`; the typical price without providers."""
    angels = sum(row.angels for row in stats)
    ratings, rating_sum = sum(int(row.ratings) for row in stats), sum(int(row.rating_sum) for row in stats)
    cents = round(sum(int(row.rate_sum) for row in stats) / angels / 100) * 100 if angels else typical_cents
    return {"providers": angels, "avgPrice": to_dollars(cents), "rating": average_rating(ratings, rating_sum)}


async def _services_and_cities(db: Database) -> tuple[list[dict[str, Any]], list[str]]:
    rows = await db.read(None, _SERVICES, [])
    stats = await db.read(None, _STATS, [rules.MAX_STATS], row=_CityStats)
    services = []
    angels_by_city: dict[str, int] = {}
    for id_, title, description, typical_cents, default_city, category in rows:
        service_stats = [row for row in stats if row.service_id == id_]
        angels_by_city[default_city] = angels_by_city.get(default_city, 0)
        for row in service_stats:
            angels_by_city[row.city] = angels_by_city.get(row.city, 0) + row.angels
        services.append(
            {"id": id_, "title": title, "description": description}
            | _totals(service_stats, typical_cents)
            | {
                "city": service_stats[0].city if service_stats else default_city,
                "category": category,
                "cities": [{"city": row.city} | _totals([row], typical_cents) for row in service_stats],
            }
        )
    return services, sorted(angels_by_city, key=lambda city: (-angels_by_city[city], city))[:MAX_CITIES]


def _is_in(service: dict[str, Any], city: str) -> bool:
    cities = [place["city"] for place in service["cities"]] or [service["city"]]
    return city in (name.lower() for name in cities)


async def services(db: Database, *, search: str = "", city: str = "", category: str = "") -> dict[str, Any]:
    """Return {services, cities, categories}: the filtered services, and all values of the filters."""
    term = " ".join(search.lower().split())
    city, category = city.strip().lower(), category.strip().lower()
    matches, cities = await _services_and_cities(db)
    if city not in ("", ALL_CITIES):
        matches = [service for service in matches if _is_in(service, city)]
    if category not in ("", ALL_CATEGORIES):
        matches = [service for service in matches if service["category"].lower() == category]
    if term:
        fields = ("title", "description", "category", "city")
        matches = [service for service in matches if term in " ".join(service[field] for field in fields).lower()]
    return {"services": matches, "cities": cities, "categories": list(categories())}


def _encode_cursor(miles: int | None, score: float, handle: str) -> str:
    return encode_base64url(orjson.dumps([miles, score, handle]))


def _decode_cursor(cursor: str | None) -> tuple[int | None, float | None, str | None]:
    if not cursor:
        return None, None, None
    try:
        miles, score, handle = orjson.loads(decode_base64url(cursor))
    except (ValueError, TypeError) as error:
        raise ValidationFailed(fields=_INVALID_CURSOR) from error
    is_valid = (
        type(miles) is int and abs(miles) < 50_000 and isinstance(score, (int, float)) and isinstance(handle, str)
    )
    if not is_valid or "\0" in handle:
        raise ValidationFailed(fields=_INVALID_CURSOR)
    return miles, float(score), handle


async def angels_for(
    db: Database, viewer: UUID | None, service_id: str, *, city: str, near: Coordinates | None, cursor: str | None
) -> dict[str, Any]:
    """Return the angels of a service, the nearest first, then the best rated. Raises NotFound, ValidationFailed."""
    miles_after, score_after, handle_after = _decode_cursor(cursor)
    all_services, _cities = await _services_and_cities(db)
    service = next((service for service in all_services if service["id"] == service_id), None)
    if service is None:
        raise NotFound
    city = city.strip().lower()
    params = {
        "service": service_id,
        "city": "" if city == ALL_CITIES else city,
        "latitude": near.latitude if near else None,
        "longitude": near.longitude if near else None,
        "miles": miles_after,
        "score": score_after,
        "handle": handle_after,
        "most": PAGE_SIZE + 1,
        "days": rules.ANSWER_DAYS,
        "min_answers": rules.MIN_ANSWERS,
        "open_after": rules.OPEN_AFTER,
    }
    async with unit_of_work(db, user_id=viewer) as session:
        rows = (await session.execute(_ANGELS, params)).all()
    last = rows[PAGE_SIZE - 1] if len(rows) > PAGE_SIZE else None
    return {
        "service": service,
        "angels": [
            {
                "handle": angel["handle"],
                "name": angel["name"],
                "photoURL": photo_url(angel),
                "about": angel["about"],
                "rateCents": angel["rate_cents"],
                "days": sorted(angel["days"]),
                "radiusMiles": angel["radius_miles"],
                "city": angel["city"],
                "region": angel["region"],
                "miles": miles if near else None,
                "jobs": angel["jobs"],
                "rating": average_rating(angel["ratings"], angel["rating_sum"]),
                "ratings": angel["ratings"],
                "answerMinutes": angel["answer_minutes"],
                "review": to_review(angel["review"]) if angel["review"] else None,
                "mine": angel["mine"] is True,
                "premium": angel["premium"],
            }
            for _handle, miles, _score, angel in rows[:PAGE_SIZE]
        ],
        "nextCursor": _encode_cursor(last.miles, last.score, last.handle) if last else None,
    }


async def own_services(session: AsyncSession, user_id: UUID) -> dict[str, Any]:
    """Return the user's services, and whether other users can see them."""
    rows = await session.execute(_OWN_SERVICES, {"user": user_id})
    is_public = await session.scalar(_IS_PUBLIC, {"user": user_id})
    return {
        "public": bool(is_public),
        "services": [
            {
                "serviceId": angel.service_id,
                "title": angel.title,
                "rateCents": angel.rate_cents,
                "about": angel.about,
                "days": sorted(angel.days),
                "radiusMiles": angel.radius_miles,
                "mailsADay": angel.mails_a_day,
                "city": angel.city,
                "region": angel.region,
                "active": angel.active,
                "jobs": angel.jobs,
                "rating": average_rating(angel.ratings, angel.rating_sum),
                "ratings": angel.ratings,
            }
            for angel in rows
        ],
    }
