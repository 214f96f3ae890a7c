"""Manifest of the feature `domains`."""

from __future__ import annotations

from porchlight.features.domains import models
from tenants.http.feature import Feature

FEATURE = Feature(name="domains", routers=("porchlight.features.domains.routes:router",), models=(models,))
