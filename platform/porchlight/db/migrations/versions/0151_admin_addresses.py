"""Limit wrong admin keys by address, and remember the addresses of admins."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0151"
down_revision = "0150"
branch_labels = None
depends_on = None

TABLES = """
ALTER TABLE admin_attempts ADD COLUMN address_hash bytea NOT NULL DEFAULT '';
CREATE INDEX ix_admin_attempts_address_hash_at ON admin_attempts (address_hash, at);

CREATE TABLE admin_addresses (
    address_hash bytea NOT NULL,
    signed_in_at timestamptz NOT NULL,
    CONSTRAINT pk_admin_addresses PRIMARY KEY (address_hash)
);
CREATE INDEX ix_admin_addresses_signed_in_at ON admin_addresses (signed_in_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_addresses TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
