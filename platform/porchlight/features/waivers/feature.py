"""Manifest of the feature `waivers`."""

from __future__ import annotations

from porchlight.features.waivers import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="waivers",
    routers=(
        "porchlight.features.waivers.routes:router",
        "porchlight.features.waivers.routes:well_known",
        "porchlight.features.waivers.guru_routes:router",
        "porchlight.features.waivers.link_routes:router",
        "porchlight.features.waivers.admin_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.waivers.jobs",
    private_pages=("/waivers", "/sign/"),
    personal_data={
        "waivers": "the liability waivers you accepted",
        "contact_views": "when gurus looked at your emergency contact",
    },
)
