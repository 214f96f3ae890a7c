"""Update the services of Angel's List from `services.toml`. `porchlight migrate` calls this as the owner role."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from tenants.db.rows import Connection

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


def _load_services() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("services.toml").read_text("utf-8"))


def categories() -> tuple[str, ...]:
    """Return the categories in the order of SPEC 2.9's filter."""
    return tuple(_load_services()["categories"])


def sync_catalog(conn: Connection) -> None:
    """Make the table match `services.toml`."""
    services = _load_services()["service"]
    with conn.transaction(), conn.cursor() as cursor:
        cursor.executemany(_SERVICE, [service | {"position": position} for position, service in enumerate(services)])
