"""Manifest of the feature `posts`."""

from __future__ import annotations

from sites.posts import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="posts",
    routers=("sites.posts.routes:router",),
    models=(models,),
)
