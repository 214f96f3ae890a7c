"""Reading services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sites.guru import CATEGORIES_SQL
from tenants.kit.db import Database
from tenants.kit.money import dollars

MOST = 60  # a guru's services are few; nothing is unbounded

# All services as a JSON array; part of the statement of each page that shows them, beside CATEGORIES_SQL.
SERVICES_SQL = f"""
(SELECT coalesce(json_agg(o.service), '[]') FROM (SELECT json_build_object(
  'id', s.id, 'name', s.name, 'description', s.description, 'price', s.price_cents, 'currency', s.currency,
  'durationMinutes', s.duration_minutes, 'duration', s.duration_label, 'popular', s.popular, 'features', s.features)
  AS service FROM services s WHERE s.tenant_id = %(tenant)s AND k.offers
  ORDER BY s.position, s.id LIMIT {MOST}) o)"""

_ALL = "SELECT " + SERVICES_SQL + " FROM " + CATEGORIES_SQL


def shape(stored: Mapping[str, Any]) -> dict[str, Any]:
    """A service as the wire has it, from the JSON the statement above builds."""
    shaped = dict(stored)
    shaped["price"] = dollars(shaped["price"])
    shaped["duration"] = shaped["duration"] or f"{shaped['durationMinutes']} minutes"
    return shaped


async def services(db: Database, tenant_id: UUID) -> list[dict[str, Any]]:
    """A guru's services in their order."""
    rows = await db.read(tenant_id, _ALL, {"tenant": tenant_id})
    return [shape(stored) for stored in rows[0][0]]
