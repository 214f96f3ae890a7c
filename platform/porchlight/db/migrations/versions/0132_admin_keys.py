"""Admin keys of named persons."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0132"
down_revision = "0131"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE admin_keys (
    id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT pk_admin_keys PRIMARY KEY (id),
    CONSTRAINT uq_admin_keys_key_hash UNIQUE (key_hash)
);
CREATE UNIQUE INDEX ix_admin_keys_name ON admin_keys (lower(name)) WHERE revoked_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_keys TO porchlight_overseer;
ALTER TABLE admin_sessions
    ADD COLUMN key_id uuid,
    ADD CONSTRAINT fk_admin_sessions_key_id FOREIGN KEY (key_id) REFERENCES admin_keys (id) ON DELETE CASCADE;
CREATE INDEX ix_admin_sessions_key_id ON admin_sessions (key_id);
"""


def upgrade() -> None:
    """Add the table, and the key of a session."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
