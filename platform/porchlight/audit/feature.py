"""Manifest of the audit log. Its routes are part of the feature `admin`."""

from __future__ import annotations

from porchlight.audit import models
from tenants.http.feature import Feature

FEATURE = Feature(name="audit", models=(models,))
