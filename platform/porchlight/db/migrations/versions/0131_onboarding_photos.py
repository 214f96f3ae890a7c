"""Photos that gurus upload in the wizard."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0131"
down_revision = "0130"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE onboarding_photos (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_onboarding_photos PRIMARY KEY (user_id, id),
    CONSTRAINT uq_onboarding_photos_id UNIQUE (id),
    CONSTRAINT fk_onboarding_photos_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE onboarding_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE onboarding_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboarding_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON onboarding_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON onboarding_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON onboarding_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON onboarding_photos TO porchlight_app, porchlight_overseer;
"""


def upgrade() -> None:
    """Create the table, then the function that reads it."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
