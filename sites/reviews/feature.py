"""Manifest of the reviews on guru sites."""

from __future__ import annotations

from sites.reviews import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="site_reviews",
    routers=("sites.reviews.routes:router",),
    models=(models,),
)
