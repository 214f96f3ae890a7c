"""Manifest of the feature `auth`."""

from __future__ import annotations

from porchlight.auth import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="auth",
    routers=(
        "porchlight.auth.routes:router",
        "porchlight.auth.handoff_routes:router",
        "porchlight.auth.sign_in_codes.routes:router",
    ),
    models=(models,),
    jobs="porchlight.auth.jobs",
    guru_host_paths=("/api/auth/session", "/api/auth/arrival"),
    personal_data={
        "users": "your account",
        "sessions": "devices where you are signed in (the cookies themselves are only in your browsers)",
        "domain_sessions": "guru domains where you're signed in",
        "blocks": "people you blocked",
    },
)
