"""Manifest of `money`."""

from __future__ import annotations

from porchlight.money import models
from tenants.http.feature import Feature

FEATURE = Feature(name="money", models=(models,))
