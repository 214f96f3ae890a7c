"""Ask floods of reports for proofs of work, count offers of a need, and say which limit of holds was met."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0214"
down_revision = "0213"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE reports ADD COLUMN network_hash bytea;
ALTER TABLE need_offers ADD COLUMN attempts smallint NOT NULL DEFAULT 1
    CONSTRAINT ck_need_offers_attempts CHECK (attempts BETWEEN 1 AND 3);
DROP FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, text, bytea, integer, integer);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
