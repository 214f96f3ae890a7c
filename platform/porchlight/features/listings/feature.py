"""Manifest of the feature `listings`."""

from __future__ import annotations

from porchlight.features.listings import models
from tenants.http.feature import Feature, UploadLimit

FEATURE = Feature(
    name="listings",
    routers=(
        "porchlight.features.listings.routes:router",
        "porchlight.features.listings.photo_routes:router",
        "porchlight.features.listings.admin_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.listings.jobs",
    upload_limits=(UploadLimit("/api/skills/offers/{offer_id}/photos", 8 * 1024 * 1024),),
    pictures=("/api/skills/photos/",),
    personal_data={
        "skill_offers": "skills you teach",
        "skill_wants": "skills you want to learn",
        "listing_photos": "photos you added to your listings",
        "user_locations": "your approximate area and availability, as used for matching",
    },
    erased_tables=frozenset({"hidden_listings", "skill_offers", "skill_wants"}),
)
