"""The default services of a new guru (SPEC 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from tenants.db.rows import Connection
from tenants.kit.ids import new_id


@dataclass(frozen=True, slots=True)
class DefaultService:
    """A service of SPEC 9. `minutes` is None for a service without bookable slots."""

    name: str
    price_cents: int
    minutes: int | None
    label: str
    popular: bool
    description: str
    features: tuple[str, ...]


DEFAULTS = (
    DefaultService(
        "One-on-One Consultation", 7500, 60, "", True,
        "A focused session on what you want to learn.",
        ("A personal plan", "Your questions answered", "Notes to take home"),
    ),
    DefaultService(
        "Group Workshop", 4500, 90, "", False,
        "Learn together with a small group of neighbors.",
        ("Small groups", "Hands-on practice", "Materials included"),
    ),
    DefaultService(
        "Monthly Mentorship", 20000, None, "Monthly", False,
        "A weekly session and support in between.",
        ("A weekly session", "Messages between sessions", "Regular progress reviews"),
    ),
)  # fmt: skip


def changed_default(service: DefaultService, name: str, price_cents: int, minutes: int | None) -> DefaultService:
    """Return a default service with another name, price and length. Without minutes, it keeps its label."""
    label = service.label if minutes is None else ""
    return replace(service, name=name, price_cents=price_cents, minutes=minutes, label=label)


def service_rows(tenant_id: UUID, services: Sequence[DefaultService]) -> list[dict[str, Any]]:
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
            "popular": service.popular,
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
            " popular, features, position) VALUES (%(tenant_id)s, %(id)s, %(name)s, %(description)s, %(price_cents)s,"
            " %(duration_minutes)s, %(duration_label)s, %(popular)s, %(features)s, %(position)s)",
            row,
        )
