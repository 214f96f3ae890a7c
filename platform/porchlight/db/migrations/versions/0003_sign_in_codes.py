"""Add sign-in codes by email."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES = """
-- Codes with which people sign in, without an account yet. Their digits are not here: only what recognizes them.
-- address_hash and network_hash: keyed hashes of the sender, for limits only.
CREATE TABLE sign_in_codes (
    id uuid NOT NULL,
    email text NOT NULL,
    code_hash bytea NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    address_hash bytea NOT NULL,
    network_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    used_at timestamptz,
    CONSTRAINT pk_sign_in_codes PRIMARY KEY (id)
);
CREATE INDEX ix_sign_in_codes_created_at ON sign_in_codes (created_at);
CREATE INDEX ix_sign_in_codes_email ON sign_in_codes (email);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_codes TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
