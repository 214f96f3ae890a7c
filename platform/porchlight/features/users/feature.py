"""Manifest of the feature `users`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="users",
    routers=("porchlight.features.users.admin_routes:router",),
)
