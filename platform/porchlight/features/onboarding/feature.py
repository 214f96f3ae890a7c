"""Manifest of the feature `onboarding`."""

from __future__ import annotations

from porchlight.features.onboarding import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="onboarding",
    routers=(routes.router,),
    models=(models,),
    jobs="porchlight.features.onboarding.jobs",
    private_pages=("/onboarding",),
    personal_data={
        "onboardings": "your answers in the guru setup",
        "category_picks": "categories you chose in the guru setup",
    },
)
