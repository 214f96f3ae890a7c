"""Manifest of the feature `email_settings`: which emails a person gets."""

from __future__ import annotations

from porchlight.features.email_settings import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="email_settings",
    routers=("porchlight.features.email_settings.routes:router",),
    models=(models,),
    personal_data={"email_settings": "the kinds of email you turned on or off"},
)
