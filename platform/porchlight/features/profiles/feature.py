"""Manifest of the feature `profiles`."""

from __future__ import annotations

from porchlight.features.profiles import models
from tenants.http.feature import Feature, UploadLimit

FEATURE = Feature(
    name="profiles",
    routers=(
        "porchlight.features.profiles.routes:router",
        "porchlight.features.profiles.routes:public",
    ),
    models=(models,),
    jobs="porchlight.features.profiles.jobs",
    upload_limits=(UploadLimit("/api/auth/photo", 8 * 1024 * 1024),),
    guru_host_paths=("/api/photos/",),
    private_pages=("/dashboard", "/profile"),
    pictures=("/api/photos/",),
    personal_data={
        "profiles": "your profile and its privacy settings",
        "profile_photos": "your profile photo",
    },
)
