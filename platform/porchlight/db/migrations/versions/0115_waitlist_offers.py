"""Waitlist offers."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0115"
down_revision = "0114"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE appointments ADD COLUMN waiting smallint NOT NULL DEFAULT 0;
CREATE INDEX ix_appointments_tenant_id_waiting ON appointments (tenant_id) WHERE live AND waiting > 0;

ALTER TABLE waitlist
    ADD COLUMN guru_label text NOT NULL,
    ADD COLUMN guru_name text NOT NULL,
    ADD COLUMN service_id uuid NOT NULL,
    ADD COLUMN service_name text NOT NULL,
    ADD COLUMN starts_at timestamptz NOT NULL,
    ADD COLUMN ends_at timestamptz NOT NULL,
    ADD COLUMN zone text NOT NULL;
CREATE POLICY lookup ON waitlist FOR SELECT TO porchlight_owner USING (true);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
