"""Manifest of the feature `documents`."""

from __future__ import annotations

from porchlight.features.documents import models
from tenants.http.feature import Feature, UploadLimit

MAX_UPLOAD_BYTES = 10 * 1024 * 1024

FEATURE = Feature(
    name="documents",
    routers=(
        "porchlight.features.documents.routes:router",
        "porchlight.features.documents.routes:streaming",
        "porchlight.features.documents.admin_routes:router",
        "porchlight.features.documents.file_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.documents.jobs",
    upload_limits=(UploadLimit("/api/onboarding/documents/files", MAX_UPLOAD_BYTES),),
    personal_data={
        "documents": "documents you submitted",
        "document_events": "the review history of your documents",
        "document_files": "the files you uploaded",
        "document_reminders": "expiration reminders we sent you",
    },
)
