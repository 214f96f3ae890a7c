"""Views of emergency contacts, and the waivers of open bookings."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0108"
down_revision = "0107"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE contact_views (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    booking_id uuid NOT NULL,
    person_id uuid NOT NULL,
    viewed_by uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_contact_views PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_contact_views_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_contact_views_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_contact_views_person_id ON contact_views (person_id);
CREATE INDEX ix_contact_views_tenant_id_booking_id ON contact_views (tenant_id, booking_id);
ALTER TABLE contact_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE contact_views FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON contact_views TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY founding ON contact_views TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON contact_views TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON contact_views TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_views TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
