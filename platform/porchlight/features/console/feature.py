"""Manifest of the feature `console`."""

from __future__ import annotations

from tenants.http.feature import Feature, UploadLimit

MAX_IMAGE_BYTES = 8 * 1024 * 1024

FEATURE = Feature(
    name="console",
    routers=(
        "porchlight.features.console.site.routes:router",
        "porchlight.features.console.sharing.routes:router",
        "porchlight.features.console.posts.routes:router",
        "porchlight.features.console.images.routes:router",
        "porchlight.features.console.services.routes:router",
        "porchlight.features.console.hours.routes:router",
        "porchlight.features.console.leads.routes:router",
        "porchlight.features.console.leads.address_routes:router",
        "porchlight.features.console.money.routes:router",
    ),
    jobs="porchlight.features.console.leads.jobs",
    upload_limits=(UploadLimit("/api/guru/images", MAX_IMAGE_BYTES),),
    private_pages=("/guru", "/mail"),
)
