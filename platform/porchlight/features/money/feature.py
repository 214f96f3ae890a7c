"""Manifest of the feature `money`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="money",
    routers=(
        "porchlight.features.money.guru_routes:router",
        "porchlight.features.money.year_statement.routes:router",
        "porchlight.features.money.admin_routes:router",
        "porchlight.features.money.card_payments.admin_routes:router",
    ),
)
