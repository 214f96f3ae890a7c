"""Manifest of settlement."""

from __future__ import annotations

from porchlight.settlement import models
from porchlight.settlement.reconcile import models as reconcile_models
from tenants.http.feature import Feature, UploadLimit

MAX_EVENT_BYTES = 256 * 1024

FEATURE = Feature(
    name="settlement",
    routers=("porchlight.settlement.routes:router",),
    models=(models, reconcile_models),
    upload_limits=(UploadLimit("/api/stripe/webhooks", MAX_EVENT_BYTES),),
    erased_tables=frozenset({"stripe_inbox"}),
)
