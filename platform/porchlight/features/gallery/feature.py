"""Manifest of the feature `gallery`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="gallery",
    routers=("porchlight.features.gallery.guru_routes:router",),
)
