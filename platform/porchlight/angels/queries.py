"""Reading Angel's List."""

from __future__ import annotations

from typing import Any

from porchlight.angels.planting import categories
from tenants.kit.db import Database
from tenants.kit.money import dollars

ALL_CITIES = "all cities"  # what the filters send for "no filter" (SPEC 2.9)
ALL = "all"

_SERVICES = """
SELECT id, title, description, avg_price_cents, providers, rating::float8, city, category,
       (%(city)s = '' OR lower(city) = %(city)s) AND (%(category)s = '' OR lower(category) = %(category)s)
       AND (%(search)s = '' OR position(%(search)s in lower(concat_ws(' ', title, description, category, city))) > 0)
  FROM angel_services ORDER BY position, id LIMIT 500
"""


async def services(db: Database, *, search: str = "", city: str = "", category: str = "") -> dict[str, Any]:
    """{services, cities, categories}: the services the filters let through, and all there is to filter by."""
    wanted_city, wanted_category = city.strip().lower(), category.strip().lower()
    rows = await db.read(
        None,
        _SERVICES,
        {
            "search": " ".join(search.lower().split()),
            "city": "" if wanted_city == ALL_CITIES else wanted_city,
            "category": "" if wanted_category == ALL else wanted_category,
        },
    )
    return {
        "services": [
            {
                "id": id_,
                "title": title,
                "description": description,
                "avgPrice": dollars(cents),
                "providers": providers,
                "rating": rating,
                "city": in_city,
                "category": in_category,
            }
            for id_, title, description, cents, providers, rating, in_city, in_category, found in rows
            if found
        ],
        "cities": list(dict.fromkeys(row[6] for row in rows)),
        "categories": list(categories()),
    }
