"""Manifest of the feature `onboarding`."""

from __future__ import annotations

from porchlight.features.onboarding import models
from tenants.http.feature import Feature, UploadLimit
from tenants.kit.images import MAX_UPLOAD_BYTES

FEATURE = Feature(
    name="onboarding",
    routers=("porchlight.features.onboarding.routes:router",),
    models=(models,),
    jobs="porchlight.features.onboarding.jobs",
    upload_limits=(UploadLimit("/api/onboarding/photo", MAX_UPLOAD_BYTES),),
    private_pages=("/onboarding",),
    personal_data={
        "onboardings": "your answers in the guru setup",
        "onboarding_photos": "photos you uploaded in the guru setup",
        "category_picks": "categories you chose in the guru setup",
    },
)
