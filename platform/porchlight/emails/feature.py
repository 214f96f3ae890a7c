"""Manifest of the email infrastructure, which owns the development mailbox's table."""

from __future__ import annotations

from porchlight.emails import models
from tenants.http.feature import Feature

FEATURE = Feature(name="emails", models=(models,))
