"""Add customers who come again and notes about clients, and allow proposals of other times for requests."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE bookings ADD COLUMN client_id uuid;
CREATE INDEX ix_bookings_tenant_id_client_id ON bookings (tenant_id, client_id) WHERE client_id IS NOT NULL;

CREATE TABLE client_notes (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    body text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_client_notes PRIMARY KEY (tenant_id, booking_id),
    CONSTRAINT fk_client_notes_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_client_notes_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_client_notes_body CHECK (length(body) BETWEEN 1 AND 2000)
);
ALTER TABLE client_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE client_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON client_notes TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
CREATE POLICY founding ON client_notes TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON client_notes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON client_notes TO porchlight_app, porchlight_overseer;

ALTER TABLE bookings DROP CONSTRAINT ck_bookings_proposal;
ALTER TABLE bookings ADD CONSTRAINT ck_bookings_proposal CHECK ((proposed_start IS NULL) = (proposed_until IS NULL)
    AND (proposed_start IS NULL OR status IN ('requested', 'confirmed')));
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
