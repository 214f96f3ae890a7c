"""Lead addresses."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0155"
down_revision = "0154"
branch_labels = None
depends_on = None

TABLES = """
-- Email addresses to which a site sends receipts and replies, and what their owners said about it.
CREATE TABLE lead_addresses (
    tenant_id uuid NOT NULL,
    email text NOT NULL,
    state text NOT NULL DEFAULT 'unconfirmed',
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_lead_addresses PRIMARY KEY (tenant_id, email),
    CONSTRAINT uq_lead_addresses_tenant_id_token UNIQUE (tenant_id, token),
    CONSTRAINT fk_lead_addresses_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_lead_addresses_email CHECK (email = lower(email)),
    CONSTRAINT ck_lead_addresses_state CHECK (state IN ('unconfirmed', 'confirmed', 'blocked'))
);
ALTER TABLE lead_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_addresses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_addresses TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON lead_addresses TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_addresses TO porchlight_app, porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
