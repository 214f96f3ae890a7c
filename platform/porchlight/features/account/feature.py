"""Manifest of the feature `account`: the export and the deletion of an account, with the data of all features."""

from __future__ import annotations

from porchlight.features.account import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="account",
    routers=("porchlight.features.account.routes:router",),
    models=(models,),
    jobs="porchlight.features.account.jobs",
)
