"""Add porch lights: angels and gurus who are free this evening."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0136"
down_revision = "0135"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE porch_lights (
    user_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    city text NOT NULL DEFAULT '',
    latitude double precision,
    longitude double precision,
    turned_on_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_porch_lights PRIMARY KEY (user_id),
    CONSTRAINT fk_porch_lights_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_porch_lights_location CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX ix_porch_lights_expires_at ON porch_lights (expires_at);
ALTER TABLE porch_lights ENABLE ROW LEVEL SECURITY;
ALTER TABLE porch_lights FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON porch_lights TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON porch_lights FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON porch_lights TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON porch_lights TO porchlight_app, porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
