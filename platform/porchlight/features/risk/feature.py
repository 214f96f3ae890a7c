"""Manifest of the feature `risk`."""

from __future__ import annotations

from porchlight.features.risk import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="risk",
    routers=(
        "porchlight.features.risk.routes:router",
        "porchlight.features.risk.guru_routes:router",
        "porchlight.features.risk.admin_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.risk.jobs",
    erased_tables=frozenset({"risk_reviews"}),
    personal_data={"risk_review_requests": "reviews of your services' risk that you asked for"},
)
