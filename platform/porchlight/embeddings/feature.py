"""Manifest of the feature `embeddings`."""

from __future__ import annotations

from porchlight.embeddings import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="embeddings",
    models=(models,),
    jobs="porchlight.embeddings.jobs",
)
