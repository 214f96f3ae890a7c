"""Email settings."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0181"
down_revision = "0180"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE email_settings (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    is_on boolean NOT NULL DEFAULT true,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_email_settings PRIMARY KEY (user_id, kind),
    CONSTRAINT uq_email_settings_token UNIQUE (token),
    CONSTRAINT fk_email_settings_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE email_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE email_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON email_settings TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON email_settings FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON email_settings TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON email_settings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON email_settings TO porchlight_app;
GRANT INSERT (user_id, kind, is_on, changed_at), UPDATE (is_on, changed_at) ON email_settings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON email_settings TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
