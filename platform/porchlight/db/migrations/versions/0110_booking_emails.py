"""Booking emails."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0110"
down_revision = "0109"
branch_labels = None
depends_on = None

TABLES = """
CREATE INDEX ix_bookings_starts_at ON bookings (starts_at) WHERE status = 'confirmed';

CREATE TABLE booking_emails (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    kind text NOT NULL,
    side text NOT NULL,
    sequence integer NOT NULL,
    person_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'due',
    attempts smallint NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_booking_emails PRIMARY KEY (tenant_id, booking_id, kind, side, sequence),
    CONSTRAINT fk_booking_emails_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_emails_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_emails_kind CHECK (kind IN ('requested', 'booked', 'accepted', 'declined', 'expired',
        'withdrawn', 'canceled', 'moved', 'spot_free', 'day_before', 'soon', 'waiver_week', 'waiver_days')),
    CONSTRAINT ck_booking_emails_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_booking_emails_status CHECK (status IN ('due', 'sent', 'void', 'failed'))
);
CREATE INDEX ix_booking_emails_person_id ON booking_emails (person_id);
CREATE INDEX ix_booking_emails_due_at ON booking_emails (due_at) WHERE status = 'due';
ALTER TABLE booking_emails ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_emails FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON booking_emails TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY founding ON booking_emails TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_emails TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (status, attempts, due_at) ON booking_emails TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_emails TO porchlight_overseer;

CREATE TABLE booking_agendas (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_booking_agendas PRIMARY KEY (tenant_id, day),
    CONSTRAINT fk_booking_agendas_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE booking_agendas ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_agendas FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON booking_agendas TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_agendas TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON booking_agendas TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_agendas TO porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
