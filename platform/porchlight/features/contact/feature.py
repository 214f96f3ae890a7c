"""Manifest of the feature `contact`."""

from __future__ import annotations

from porchlight.features.contact import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="contact",
    routers=("porchlight.features.contact.routes:router",),
    models=(models,),
    jobs="porchlight.features.contact.jobs",
)
