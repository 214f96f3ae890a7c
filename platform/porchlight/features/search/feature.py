"""Manifest of the feature `search`."""

from __future__ import annotations

from porchlight.features.search import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="search",
    routers=("porchlight.features.search.routes:router",),
    models=(models,),
    jobs="porchlight.features.search.jobs",
    personal_data={"saved_searches": "searches you get email alerts for"},
)
