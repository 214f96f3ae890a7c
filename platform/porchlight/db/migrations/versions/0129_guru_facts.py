"""Guru facts."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0129"
down_revision = "0128"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE guru_facts (
    tenant_id uuid NOT NULL,
    answer_minutes integer,
    sessions integer NOT NULL DEFAULT 0,
    counted_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_guru_facts PRIMARY KEY (tenant_id),
    CONSTRAINT fk_guru_facts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_guru_facts_answer_minutes CHECK (answer_minutes > 0),
    CONSTRAINT ck_guru_facts_sessions CHECK (sessions >= 0)
);
ALTER TABLE guru_facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_facts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_facts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_facts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON guru_facts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_facts TO porchlight_overseer;
CREATE INDEX ix_needs_asked_user_id ON needs (asked_user_id) WHERE asked_user_id IS NOT NULL;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
