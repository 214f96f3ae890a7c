"""Participants of bookings that need a waiver, each covered by a waiver of their own or of their guardian."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0190"
down_revision = "0182"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE participants (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    number smallint NOT NULL,
    person_id uuid NOT NULL,
    name text NOT NULL,
    signer text NOT NULL,
    signer_id uuid NOT NULL,
    waiver_id uuid,
    waiver_until timestamptz,
    signed_by text NOT NULL DEFAULT '',
    email text NOT NULL DEFAULT '',
    token uuid,
    email_due timestamptz,
    emailed_at timestamptz,
    emails smallint NOT NULL DEFAULT 0,
    CONSTRAINT pk_participants PRIMARY KEY (tenant_id, booking_id, number),
    CONSTRAINT fk_participants_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_participants_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_participants_number CHECK (number BETWEEN 1 AND 10),
    CONSTRAINT ck_participants_signer CHECK (signer IN ('self', 'guardian', 'link'))
);
CREATE INDEX ix_participants_person_id ON participants (person_id);
CREATE INDEX ix_participants_tenant_id_signer_id ON participants (tenant_id, signer_id);
CREATE INDEX ix_participants_tenant_id_token ON participants (tenant_id, token);
CREATE INDEX ix_participants_email_due ON participants (email_due) WHERE email_due IS NOT NULL;
ALTER TABLE participants ENABLE ROW LEVEL SECURITY;
ALTER TABLE participants FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON participants TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY founding ON participants TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON participants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON participants TO porchlight_app;
GRANT UPDATE (email, token, email_due, emailed_at, emails) ON participants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON participants TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
