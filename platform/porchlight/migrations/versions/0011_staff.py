"""Staff: sessions, attempts at the key, and the log of acts."""

from __future__ import annotations

from alembic import op

from tenants.roles import OVERSEER

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE admin_sessions (
    id uuid CONSTRAINT pk_admin_sessions PRIMARY KEY,
    token_hash bytea NOT NULL CONSTRAINT uq_admin_sessions_token_hash UNIQUE,
    key_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE TABLE admin_attempts (
    id uuid CONSTRAINT pk_admin_attempts PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_admin_attempts_at ON admin_attempts (at);
CREATE TABLE audit_log (
    id bigint CONSTRAINT pk_audit_log PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL DEFAULT '',
    subject_id text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    previous bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE INDEX ix_audit_log_subject_kind_subject_id ON audit_log (subject_kind, subject_id);
CREATE TABLE audit_head (
    one boolean NOT NULL DEFAULT true CONSTRAINT pk_audit_head PRIMARY KEY,
    id bigint NOT NULL,
    hash bytea NOT NULL
);
INSERT INTO audit_head (id, hash) VALUES (0, '');
"""

# An entry's number follows the one before without a gap, and its hash covers that one's: who changes, inserts or takes
# out a past entry breaks the chain from there on. The head's row lock makes entries wait for one another.
CHAIN = """
CREATE FUNCTION app.audit_hash(e audit_log) RETURNS bytea LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT sha256(e.previous || convert_to(concat_ws(E'\\x1f', e.id,
    to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor, e.action, e.subject_kind, e.subject_id,
    e.details::text), 'UTF8'))
$$;
CREATE FUNCTION app.audit_chained() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  head audit_head;
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  NEW.id := head.id + 1;
  NEW.at := clock_timestamp();
  NEW.previous := head.hash;
  NEW.hash := app.audit_hash(NEW);
  UPDATE audit_head SET id = NEW.id, hash = NEW.hash;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_chained BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION app.audit_chained();
CREATE FUNCTION app.audit_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows';
END $$;
CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION app.audit_kept();
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION app.audit_kept();
"""

RIGHTS = f"""
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_sessions, admin_attempts TO {OVERSEER};
GRANT SELECT, INSERT ON audit_log TO {OVERSEER};
GRANT SELECT ON audit_head TO {OVERSEER};
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(CHAIN)
    run(RIGHTS)


def downgrade() -> None:
    op.get_bind().exec_driver_sql(
        "DROP TABLE admin_sessions, admin_attempts, audit_head, audit_log CASCADE;"
        "DROP FUNCTION app.audit_chained(); DROP FUNCTION app.audit_kept()"
    )
