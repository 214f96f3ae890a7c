"""Reading services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sites.gallery.queries import SERVICE_PICTURES_SQL, picture
from sites.guru import CATEGORIES_SQL
from tenants.db.pool import Database
from tenants.kit.money import to_dollars

MAX_SERVICES = 150  # per guru, of which plans allow up to 100 with a price

# All services as a JSON array: part of the statement of each page that shows them, together with CATEGORIES_SQL.
SERVICES_SQL = f"""
(SELECT coalesce(json_agg(o.service), '[]') FROM (SELECT json_build_object(
  'id', s.id, 'name', s.name, 'description', s.description, 'price', s.price_cents, 'currency', s.currency,
  'durationMinutes', s.duration_minutes, 'duration', s.duration_label, 'popular', s.popular, 'features', s.features,
  'bookable', s.duration_minutes IS NOT NULL AND EXISTS (
    SELECT FROM booking_settings b WHERE b.tenant_id = s.tenant_id AND b.service_id = s.id AND b.open),
  'pictures', {SERVICE_PICTURES_SQL})
  AS service FROM services s WHERE s.tenant_id = %(tenant)s AND k.offers AND NOT s.over_limit
  ORDER BY s.position, s.id LIMIT {MAX_SERVICES}) o)"""

_ALL = "SELECT " + SERVICES_SQL + " FROM " + CATEGORIES_SQL


def to_response(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the JSON of the statement above to the API's form of a service."""
    service = dict(stored)
    service["price"] = to_dollars(service["price"])
    service["duration"] = service["duration"] or f"{service['durationMinutes']} minutes"
    service["pictures"] = [picture(one) for one in service["pictures"]]
    return service


async def services(db: Database, tenant_id: UUID) -> list[dict[str, Any]]:
    """Return a guru's services, in order."""
    ((found,),) = await db.read(tenant_id, _ALL, {"tenant": tenant_id})
    return [to_response(stored) for stored in found]
