"""Drawn signatures and the gurus' own waiver texts."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0120"
down_revision = "0119"
branch_labels = None
depends_on = None

# No screen ever sent a drawn signature, so the column is empty. Drawings are now among the data that can be erased.
TABLES = """
ALTER TABLE waivers
    DROP COLUMN drawn_signature,
    ADD COLUMN guru_text_version integer;
GRANT UPDATE (pdf) ON waivers TO porchlight_app;

CREATE TABLE guru_waiver_texts (
    tenant_id uuid NOT NULL,
    version integer NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_guru_waiver_texts PRIMARY KEY (tenant_id, version),
    CONSTRAINT ck_guru_waiver_texts_version CHECK (version > 0),
    CONSTRAINT ck_guru_waiver_texts_body CHECK (char_length(body) <= 1000),
    CONSTRAINT fk_guru_waiver_texts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE guru_waiver_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_waiver_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_waiver_texts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON guru_waiver_texts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON guru_waiver_texts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON guru_waiver_texts TO porchlight_app;
GRANT SELECT, INSERT, DELETE ON guru_waiver_texts TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
