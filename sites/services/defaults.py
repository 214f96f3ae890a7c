"""The services every guru begins with (SPEC 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

from tenants.kit.ids import new_id


@dataclass(frozen=True, slots=True)
class DefaultService:
    """A service of SPEC 9. `minutes` is None for one that is no bookable slot."""

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
        ("A plan made for you", "Your questions answered", "Notes to take home"),
    ),
    DefaultService(
        "Group Workshop", 4500, 90, "", False,
        "Learn together with a handful of neighbours.",
        ("Small groups", "Hands-on practice", "Materials included"),
    ),
    DefaultService(
        "Monthly Mentorship", 20000, None, "Monthly", False,
        "Steady guidance, week after week.",
        ("A session every week", "Messages in between", "Your progress reviewed"),
    ),
)  # fmt: skip


def default_rows(tenant_id: UUID) -> list[dict[str, Any]]:
    """The default services as rows of a guru, by column."""
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
        for position, service in enumerate(DEFAULTS)
    ]


def offer_defaults(conn: psycopg.Connection[Any], tenant_id: UUID) -> None:
    """Give a guru the default services."""
    for row in default_rows(tenant_id):
        conn.execute(
            "INSERT INTO services (tenant_id, id, name, description, price_cents, duration_minutes, duration_label,"
            " popular, features, position) VALUES (%(tenant_id)s, %(id)s, %(name)s, %(description)s, %(price_cents)s,"
            " %(duration_minutes)s, %(duration_label)s, %(popular)s, %(features)s, %(position)s)",
            row,
        )
