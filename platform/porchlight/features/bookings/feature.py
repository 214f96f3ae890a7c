"""Manifest of the feature `bookings`."""

from __future__ import annotations

from porchlight.features.bookings import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="bookings",
    routers=(routes.router,),
    models=(models,),
)
