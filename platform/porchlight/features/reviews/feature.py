"""Manifest of the feature `reviews`."""

from __future__ import annotations

from porchlight.features.reviews import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="reviews",
    routers=(
        "porchlight.features.reviews.routes:router",
        "porchlight.features.reviews.guru_routes:router",
        "porchlight.features.reviews.link_routes:router",
        "porchlight.features.reviews.admin_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.reviews.jobs",
    personal_data={"reviews": "your reviews of sessions, and those about you that you can read"},
)
