"""Manifest of the feature `notifications`: what happened, on the page, on a person's devices and in their digest."""

from __future__ import annotations

from porchlight.features.notifications import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="notifications",
    routers=("porchlight.features.notifications.routes:router",),
    models=(models,),
    jobs="porchlight.features.notifications.jobs",
    private_pages=("/notifications", "/settings/"),
    personal_data={
        "notifications": "your notifications of the last 90 days",
        "notification_hours": "when your digest comes and when it is quiet",
        "push_subscriptions": "the devices that show your notifications",
    },
)
