"""Manifest of the feature `images`."""

from __future__ import annotations

from tenants.http.feature import Feature, UploadLimit

MAX_IMAGE_BYTES = 8 * 1024 * 1024

FEATURE = Feature(
    name="images",
    routers=("porchlight.features.images.guru_routes:router",),
    upload_limits=(UploadLimit("/api/guru/images", MAX_IMAGE_BYTES),),
)
