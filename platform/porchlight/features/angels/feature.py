"""Manifest of the feature `angels`."""

from __future__ import annotations

from porchlight.features.angels import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="angels",
    routers=("porchlight.features.angels.routes:router",),
    models=(models,),
    personal_data={"angels": "services you offer as an angel"},
)
