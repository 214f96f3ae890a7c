"""Relate the phrase of a search within its request, and store the scores of the risk classifier."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0171"
down_revision = "0170"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE risk_scores (
    digest bytea NOT NULL,
    score real NOT NULL,
    created_on date NOT NULL DEFAULT CURRENT_DATE,
    CONSTRAINT pk_risk_scores PRIMARY KEY (digest)
);
GRANT SELECT, DELETE ON risk_scores TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
