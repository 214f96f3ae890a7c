"""Manifest of the feature `front_page`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="front_page",
    routers=("porchlight.features.front_page.routes:router",),
)
