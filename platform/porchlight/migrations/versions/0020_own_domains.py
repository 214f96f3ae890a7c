"""Signed in on a guru's own domain: one-time passes, and the sessions they open there."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

# A row begins as a pass and becomes a session by its one use. It ends with the session it came of.
TABLE = """
CREATE TABLE domain_sessions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    domain text NOT NULL,
    pass_hash bytea CONSTRAINT uq_domain_sessions_pass_hash UNIQUE,
    browser_hash bytea NOT NULL,
    secret_hash bytea CONSTRAINT uq_domain_sessions_secret_hash UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_domain_sessions PRIMARY KEY (user_id, id),
    CONSTRAINT fk_domain_sessions_user_id_session_id FOREIGN KEY (user_id, session_id)
        REFERENCES sessions (user_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_domain_sessions_used CHECK ((pass_hash IS NULL) <> (secret_hash IS NULL))
);
CREATE INDEX ix_domain_sessions_user_id_session_id ON domain_sessions (user_id, session_id);
"""

# As app.find_session; what was opened under the domain's former guru counts for nothing under its present one.
LOOKUPS = """
CREATE FUNCTION app.find_pass(wanted bytea, browser bytea, at_domain text, life interval)
RETURNS TABLE (user_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.user_id, p.id FROM domain_sessions p
   WHERE p.pass_hash = wanted AND p.browser_hash = browser AND p.domain = at_domain AND p.created_at > now() - life
$$;

CREATE FUNCTION app.find_domain_session(wanted bytea, at_domain text)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at
    FROM domain_sessions v
    JOIN sessions s ON s.user_id = v.user_id AND s.id = v.session_id
    JOIN users u ON u.user_id = v.user_id
    JOIN domains d ON d.domain = v.domain
   WHERE v.secret_hash = wanted AND v.domain = at_domain AND d.verified_at <= v.created_at
     AND s.expires_at > now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
"""
FUNCTIONS = ("app.find_pass(bytea, bytea, text, interval)", "app.find_domain_session(bytea, text)")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLE)
    run(fence("domain_sessions", key="user_id", setting="uid", directory=True))
    run(LOOKUPS)
    for function in FUNCTIONS:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}, {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for function in FUNCTIONS:
        run(f"DROP FUNCTION {function}")
    run("DROP TABLE domain_sessions")
