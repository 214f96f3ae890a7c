"""Manifest of the feature `matches`."""

from __future__ import annotations

from porchlight.features.matches import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="matches",
    routers=("porchlight.features.matches.routes:router",),
    models=(models,),
    jobs="porchlight.features.matches.jobs",
    personal_data={"swap_ring_members": "swap rings you were invited to"},
)
