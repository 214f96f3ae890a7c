"""Manifest of the feature `posts`."""

from __future__ import annotations

from tenants.http.feature import Feature

FEATURE = Feature(
    name="posts",
    routers=(
        "porchlight.features.posts.guru_routes:router",
        "porchlight.features.posts.admin_routes:router",
    ),
)
