"""Manifest of the feature `porch_lights`."""

from __future__ import annotations

from porchlight.features.porch_lights import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="porch_lights",
    routers=("porchlight.features.porch_lights.routes:router",),
    models=(models,),
    personal_data={"porch_lights": "your porch light, while it is on"},
)
