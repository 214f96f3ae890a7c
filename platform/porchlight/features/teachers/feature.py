"""Manifest of the feature `teachers`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="teachers",
    routers=("porchlight.features.teachers.routes:router",),
)
