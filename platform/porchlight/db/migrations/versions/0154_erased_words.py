"""Delete phrases that no listing has, and erase the words of deleted accounts."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0154"
down_revision = "0153"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE phrases ADD COLUMN searched_on date NOT NULL DEFAULT current_date;
CREATE INDEX ix_phrases_searched_on ON phrases (searched_on) WHERE NOT in_use;
ALTER TABLE risk_reviews ADD COLUMN asked_by uuid
    CONSTRAINT fk_risk_reviews_asked_by REFERENCES users (user_id) ON DELETE CASCADE;
CREATE INDEX ix_risk_reviews_asked_by ON risk_reviews (asked_by);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
