"""Waivers and their signed chain."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0104"
down_revision = "0103"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE waivers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    exchange_id text NOT NULL,
    guru_id uuid,
    level text NOT NULL,
    text_version integer NOT NULL,
    record text NOT NULL,
    sha256 text NOT NULL,
    erasable jsonb NOT NULL,
    signed boolean NOT NULL,
    drawn_signature bytea,
    accepted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    pdf bytea NOT NULL,
    chain_id text NOT NULL,
    number bigint NOT NULL,
    idempotency_key text,
    digest bytea NOT NULL,
    CONSTRAINT pk_waivers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_waivers_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT uq_waivers_user_id_chain_id_number UNIQUE (user_id, chain_id, number),
    CONSTRAINT ck_waivers_level CHECK (level IN ('low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_waivers_sha256 CHECK (sha256 = encode(sha256(convert_to(record, 'UTF8')), 'hex')),
    CONSTRAINT ck_waivers_times CHECK (expires_at > accepted_at)
);
ALTER TABLE waivers ENABLE ROW LEVEL SECURITY;
ALTER TABLE waivers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON waivers TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY founding ON waivers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON waivers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (ended_at, erasable) ON waivers TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waivers TO porchlight_overseer;

CREATE TABLE waiver_heads (
    chain_id text NOT NULL,
    number bigint NOT NULL DEFAULT 0,
    hash text NOT NULL DEFAULT repeat('0', 64),
    CONSTRAINT pk_waiver_heads PRIMARY KEY (chain_id)
);
GRANT SELECT ON waiver_heads TO porchlight_overseer;

CREATE TABLE waiver_links (
    chain_id text NOT NULL,
    number bigint NOT NULL,
    previous text NOT NULL,
    record_sha256 text NOT NULL,
    pdf_sha256 text NOT NULL,
    at timestamptz NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT pk_waiver_links PRIMARY KEY (chain_id, number),
    CONSTRAINT fk_waiver_links_chain_id FOREIGN KEY (chain_id) REFERENCES waiver_heads (chain_id),
    CONSTRAINT ck_waiver_links_number CHECK (number > 0)
);
GRANT SELECT ON waiver_links TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
