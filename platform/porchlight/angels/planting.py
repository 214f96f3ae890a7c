"""Plants the first services of Angel's List; run by `porchlight migrate`, as the owner role."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import psycopg

_SERVICE = """
INSERT INTO angel_services (id, title, description, avg_price_cents, providers, rating, city, category, position,
                            keywords)
VALUES (%(id)s, %(title)s, %(description)s, %(avg_price)s * 100, %(providers)s, %(rating)s, %(city)s, %(category)s,
        %(position)s, %(keywords)s)
ON CONFLICT (id) DO UPDATE SET
  title = excluded.title, description = excluded.description, avg_price_cents = excluded.avg_price_cents,
  providers = excluded.providers, rating = excluded.rating, city = excluded.city, category = excluded.category,
  position = excluded.position, keywords = excluded.keywords
"""


def _first() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("services.toml").read_text("utf-8"))


def categories() -> tuple[str, ...]:
    """The categories of local help, in the order of SPEC 2.9's filter."""
    return tuple(_first()["categories"])


def plant(conn: psycopg.Connection[Any]) -> None:
    """Make the first services stand in the table as `services.toml` has them."""
    with conn.transaction(), conn.cursor() as cursor:
        cursor.executemany(_SERVICE, [service | {"position": at} for at, service in enumerate(_first()["service"])])
