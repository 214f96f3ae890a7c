"""Manifest of the feature `categories`."""

from __future__ import annotations

from sites.categories import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="categories",
    models=(models,),
)
