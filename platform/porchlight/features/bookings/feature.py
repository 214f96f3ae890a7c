"""Manifest of the feature `bookings`."""

from __future__ import annotations

from porchlight.features.bookings import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="bookings",
    routers=(),
    models=(models,),
)
