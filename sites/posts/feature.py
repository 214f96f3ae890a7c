"""Manifest of the feature `posts`."""

from __future__ import annotations

from sites.posts import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="posts",
    routers=(routes.router,),
    models=(models,),
)
