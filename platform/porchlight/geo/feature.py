"""Manifest of the feature `geo`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="geo",
    routers=("porchlight.geo.routes:router",),
)
