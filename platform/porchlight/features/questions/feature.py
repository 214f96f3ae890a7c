"""Manifest of the feature `questions`."""

from __future__ import annotations

from porchlight.features.questions import models, routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="questions",
    routers=(routes.router,),
    models=(models,),
    jobs="porchlight.features.questions.jobs",
    personal_data={"questions": "questions you asked neighbors"},
)
