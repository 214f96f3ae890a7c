"""Manifest of the feature `needs`."""

from __future__ import annotations

from porchlight.features.angels.needs import models
from tenants.http.feature import Feature, UploadLimit

FEATURE = Feature(
    name="needs",
    routers=(
        "porchlight.features.angels.needs.routes:router",
        "porchlight.features.angels.needs.offer_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.angels.needs.jobs",
    upload_limits=(UploadLimit("/api/needs/{need_id}/photos", 8 * 1024 * 1024),),
    personal_data={
        "needs": "needs you posted",
        "need_offers": "offers you made for needs",
        "need_notices": "needs we emailed you about",
        "need_photos": "photos of your needs",
    },
)
