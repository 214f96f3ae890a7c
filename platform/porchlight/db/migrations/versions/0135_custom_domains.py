"""Let gurus add custom domains: the proof of control, its checks, and the state of the certificate."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0135"
down_revision = "0134"
branch_labels = None
depends_on = None

TABLES = """
-- The operator vouched for the domains of before.
ALTER TABLE domains
    ADD COLUMN token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
    ADD COLUMN proof text NOT NULL DEFAULT 'operator',
    ADD COLUMN checked_at timestamptz,
    ADD COLUMN next_check_at timestamptz,
    ADD COLUMN outcome text NOT NULL DEFAULT '',
    ADD COLUMN found text NOT NULL DEFAULT '',
    ADD COLUMN failing_since timestamptz,
    ADD COLUMN certificate_until timestamptz,
    ADD CONSTRAINT ck_domains_proof CHECK (proof IN ('dns', 'operator')),
    DROP CONSTRAINT uq_domains_domain;
ALTER TABLE domains ALTER COLUMN proof SET DEFAULT 'dns';
CREATE INDEX ix_domains_domain ON domains (domain);
CREATE UNIQUE INDEX uq_domains_verified ON domains (domain) WHERE verified_at IS NOT NULL;
CREATE INDEX ix_domains_next_check_at ON domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE TABLE domain_checks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_domain_checks PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_domain_checks_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
CREATE INDEX ix_domain_checks_tenant_id_created_at ON domain_checks (tenant_id, created_at);
ALTER TABLE domain_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_checks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_checks TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON domain_checks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_checks TO porchlight_app, porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
