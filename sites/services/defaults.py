"""The default services of a new guru (SPEC 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tenants.db.rows import Connection
from tenants.kit.ids import new_id

DEFAULT_LABEL = "Monthly"  # SPEC 9: the length of the service without bookable times


@dataclass(frozen=True, slots=True)
class NewService:
    """A service of a new site. `minutes` is None for one without bookable times, which has a label instead."""

    name: str
    price_cents: int
    minutes: int | None
    label: str
    description: str
    features: tuple[str, ...] = ()


# Names, prices and lengths are SPEC's. The rest says only what the name says: no points, and none is marked as popular,
# which is for the guru to choose.
DEFAULTS = (
    NewService("One-on-One Consultation", 7500, 60, "", "A session for you alone, on what you want to learn."),
    NewService("Group Workshop", 4500, 90, "", "Learn together in a group. The price is per person."),
    NewService("Monthly Mentorship", 20000, None, DEFAULT_LABEL, "We work on your goal over a month."),
)


def service_rows(tenant_id: UUID, services: Sequence[NewService]) -> list[dict[str, Any]]:
    """Return services as rows of the guru's services, by column."""
    return [
        {
            "tenant_id": tenant_id,
            "id": new_id(),
            "name": service.name,
            "description": service.description,
            "price_cents": service.price_cents,
            "duration_minutes": service.minutes,
            "duration_label": service.label,
            "features": list(service.features),
            "position": position,
        }
        for position, service in enumerate(services)
    ]


def add_default_services(conn: Connection, tenant_id: UUID) -> None:
    """Create the default services of a guru."""
    for row in service_rows(tenant_id, DEFAULTS):
        conn.execute(
            "INSERT INTO services (tenant_id, id, name, description, price_cents, duration_minutes, duration_label,"
            " features, position) VALUES (%(tenant_id)s, %(id)s, %(name)s, %(description)s, %(price_cents)s,"
            " %(duration_minutes)s, %(duration_label)s, %(features)s, %(position)s)",
            row,
        )
