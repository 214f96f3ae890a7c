"""Manifest of the feature `questions`."""

from __future__ import annotations

from porchlight.features.questions import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="questions",
    routers=("porchlight.features.questions.routes:router",),
    models=(models,),
    jobs="porchlight.features.questions.jobs",
    personal_data={"questions": "questions you asked neighbors"},
)
