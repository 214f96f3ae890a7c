"""The queue of activities that staff reviews because the risk engine does not know them, and stored scores."""

from __future__ import annotations

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("risk_reviews", "risk_scores")
