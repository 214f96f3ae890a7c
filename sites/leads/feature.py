"""Manifest of the feature `leads`."""

from __future__ import annotations

from sites.leads import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="leads",
    routers=("sites.leads.routes:router",),
    models=(models,),
)
