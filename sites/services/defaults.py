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


def offer_defaults(conn: psycopg.Connection[Any], tenant_id: UUID) -> None:
    """Give a guru the default services."""
    for position, service in enumerate(DEFAULTS):
        conn.execute(
            "INSERT INTO services (tenant_id, id, name, description, price_cents, duration_minutes, duration_label,"
            " popular, features, position) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                tenant_id, new_id(), service.name, service.description, service.price_cents, service.minutes,
                service.label, service.popular, list(service.features), position,
            ],
        )  # fmt: skip
