"""Manifest of the feature `domains`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(name="domains", routers=("porchlight.features.domains.routes:router",))
