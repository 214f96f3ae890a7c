"""Manifest of the feature `waivers`."""

from __future__ import annotations

from porchlight.features.waivers import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="waivers",
    routers=(routes.router, routes.well_known),
    models=(models,),
    personal_data={"waivers": "the liability waivers you accepted"},
)
