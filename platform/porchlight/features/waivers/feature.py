"""Manifest of the feature `waivers`."""

from __future__ import annotations

from porchlight.features.waivers import admin_routes, guru_routes, models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="waivers",
    routers=(routes.router, routes.well_known, guru_routes.router, admin_routes.router),
    models=(models,),
    jobs="porchlight.features.waivers.jobs",
    private_pages=("/waivers",),
    personal_data={
        "waivers": "the liability waivers you accepted",
        "contact_views": "when gurus looked at your emergency contact",
    },
)
