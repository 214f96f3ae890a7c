"""Bookings."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0103"
down_revision = "0102"
branch_labels = None
depends_on = None

TABLES = """
CREATE OR REPLACE FUNCTION app.acting_tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.acting_tenant_id', true), '')::uuid;

CREATE TABLE calendars (
    tenant_id uuid NOT NULL,
    zone text NOT NULL,
    step_minutes smallint NOT NULL DEFAULT 30,
    notice_minutes integer NOT NULL DEFAULT 720,
    horizon_days smallint NOT NULL DEFAULT 60,
    day_max smallint,
    paused_until timestamptz,
    confirmed_at timestamptz,
    rules_version bigint NOT NULL DEFAULT 1,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_calendars PRIMARY KEY (tenant_id),
    CONSTRAINT fk_calendars_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_calendars_step CHECK (step_minutes IN (5, 10, 15, 20, 30, 60)),
    CONSTRAINT ck_calendars_notice CHECK (notice_minutes BETWEEN 0 AND 43200),
    CONSTRAINT ck_calendars_horizon CHECK (horizon_days BETWEEN 1 AND 365),
    CONSTRAINT ck_calendars_day_max CHECK (day_max BETWEEN 1 AND 100)
);
ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendars FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON calendars TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY founding ON calendars TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON calendars TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendars TO porchlight_app, porchlight_overseer;

CREATE TABLE weekly_hours (
    tenant_id uuid NOT NULL,
    weekday smallint NOT NULL,
    during int4range NOT NULL,
    CONSTRAINT pk_weekly_hours PRIMARY KEY (tenant_id, weekday, during),
    CONSTRAINT fk_weekly_hours_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT ck_weekly_hours_weekday CHECK (weekday BETWEEN 0 AND 6),
    CONSTRAINT ck_weekly_hours_during CHECK (during <@ int4range(0, 1440) AND NOT isempty(during)),
    CONSTRAINT ex_weekly_hours_during EXCLUDE USING gist (tenant_id WITH =, weekday WITH =, during WITH &&)
);
ALTER TABLE weekly_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE weekly_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON weekly_hours TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON weekly_hours TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON weekly_hours TO porchlight_app, porchlight_overseer;

CREATE TABLE date_hours (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    during int4range NOT NULL,
    CONSTRAINT pk_date_hours PRIMARY KEY (tenant_id, day, during),
    CONSTRAINT fk_date_hours_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT ck_date_hours_during CHECK (during <@ int4range(0, 1440)),
    CONSTRAINT ex_date_hours_during EXCLUDE USING gist (tenant_id WITH =, day WITH =, during WITH &&)
);
ALTER TABLE date_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE date_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON date_hours TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON date_hours TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON date_hours TO porchlight_app, porchlight_overseer;

CREATE TABLE booking_settings (
    tenant_id uuid NOT NULL,
    service_id uuid NOT NULL,
    open boolean NOT NULL DEFAULT false,
    capacity smallint NOT NULL DEFAULT 1,
    party_max smallint NOT NULL DEFAULT 1,
    setup_minutes smallint NOT NULL DEFAULT 0,
    cleanup_minutes smallint NOT NULL DEFAULT 0,
    starts text NOT NULL DEFAULT 'hours',
    approval text NOT NULL DEFAULT 'instant',
    place text NOT NULL DEFAULT 'agreed',
    place_text text NOT NULL DEFAULT '',
    waiver text NOT NULL DEFAULT 'risk',
    risk text NOT NULL DEFAULT '',
    policy text NOT NULL DEFAULT 'flexible',
    free_until_minutes integer NOT NULL DEFAULT 1440,
    late_percent smallint NOT NULL DEFAULT 0,
    missed_percent smallint NOT NULL DEFAULT 50,
    moves_max smallint NOT NULL DEFAULT 2,
    move_until_minutes integer NOT NULL DEFAULT 1440,
    CONSTRAINT pk_booking_settings PRIMARY KEY (tenant_id, service_id),
    CONSTRAINT fk_booking_settings_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_settings_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_settings_capacity CHECK (capacity BETWEEN 1 AND 100),
    CONSTRAINT ck_booking_settings_party CHECK (party_max BETWEEN 1 AND least(10, capacity)),
    CONSTRAINT ck_booking_settings_buffers
        CHECK (setup_minutes BETWEEN 0 AND 240 AND cleanup_minutes BETWEEN 0 AND 240),
    CONSTRAINT ck_booking_settings_starts CHECK (starts IN ('hours', 'fixed')),
    CONSTRAINT ck_booking_settings_approval CHECK (approval IN ('instant', 'request')),
    CONSTRAINT ck_booking_settings_place CHECK (place IN ('guru', 'person', 'online', 'agreed')),
    CONSTRAINT ck_booking_settings_waiver CHECK (waiver IN ('risk', 'always', 'signed')),
    CONSTRAINT ck_booking_settings_risk CHECK (risk IN ('', 'low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_booking_settings_policy CHECK (policy IN ('flexible', 'moderate', 'strict', 'own')),
    CONSTRAINT ck_booking_settings_terms
        CHECK (free_until_minutes BETWEEN 0 AND 43200 AND move_until_minutes BETWEEN 0 AND 43200
               AND late_percent BETWEEN 0 AND 100 AND missed_percent BETWEEN 0 AND 100 AND moves_max BETWEEN 0 AND 10)
);
ALTER TABLE booking_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON booking_settings TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON booking_settings FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_settings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_settings TO porchlight_app, porchlight_overseer;

CREATE TABLE appointments (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    service_id uuid,
    kind text NOT NULL DEFAULT 'session',
    fixed boolean NOT NULL DEFAULT false,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    zone text NOT NULL,
    blocked tstzrange NOT NULL,
    capacity smallint NOT NULL DEFAULT 0,
    taken smallint NOT NULL DEFAULT 0,
    live boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_appointments PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_appointments_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_appointments_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id),
    CONSTRAINT ck_appointments_kind CHECK (kind IN ('session', 'block')),
    CONSTRAINT ck_appointments_times CHECK (ends_at > starts_at AND blocked @> tstzrange(starts_at, ends_at)),
    CONSTRAINT ck_appointments_taken CHECK (taken BETWEEN 0 AND capacity),
    CONSTRAINT ex_appointments_blocked EXCLUDE USING gist (tenant_id WITH =, blocked WITH &&) WHERE (live)
);
CREATE INDEX ix_appointments_tenant_id_starts_at ON appointments (tenant_id, starts_at) WHERE live;
ALTER TABLE appointments ENABLE ROW LEVEL SECURITY;
ALTER TABLE appointments FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON appointments TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY founding ON appointments TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON appointments TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON appointments TO porchlight_app, porchlight_overseer;

CREATE TABLE bookings (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    service_id uuid NOT NULL,
    person_id uuid,
    hold_hash bytea,
    address_hash bytea,
    status text NOT NULL,
    party smallint NOT NULL DEFAULT 1,
    participants text[] NOT NULL DEFAULT '{}',
    person_name text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    guru_label text NOT NULL,
    guru_name text NOT NULL,
    service_name text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    zone text NOT NULL,
    price_cents bigint NOT NULL,
    currency text NOT NULL,
    approval text NOT NULL,
    place text NOT NULL,
    place_text text NOT NULL DEFAULT '',
    terms jsonb NOT NULL,
    terms_digest bytea NOT NULL,
    waiver_level text NOT NULL DEFAULT '',
    waiver_id uuid,
    waiver_until timestamptz,
    sequence integer NOT NULL DEFAULT 0,
    moves smallint NOT NULL DEFAULT 0,
    series_id uuid,
    proposed_start timestamptz,
    expires_at timestamptz,
    confirmed_at timestamptz,
    ended_by text NOT NULL DEFAULT '',
    ended_at timestamptz,
    reason text NOT NULL DEFAULT '',
    owed_cents bigint NOT NULL DEFAULT 0,
    idempotency_key text,
    digest bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_bookings PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_bookings_tenant_id_hold_hash UNIQUE (tenant_id, hold_hash),
    CONSTRAINT uq_bookings_tenant_id_person_id_idempotency_key UNIQUE (tenant_id, person_id, idempotency_key),
    CONSTRAINT fk_bookings_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_bookings_tenant_id_appointment_id FOREIGN KEY (tenant_id, appointment_id)
        REFERENCES appointments (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_bookings_status CHECK (status IN ('held', 'requested', 'confirmed', 'declined', 'canceled', 'expired',
                                                    'missed', 'completed')),
    CONSTRAINT ck_bookings_expires CHECK ((status IN ('held', 'requested')) = (expires_at IS NOT NULL)),
    CONSTRAINT ck_bookings_person CHECK (status IN ('held', 'expired') OR person_id IS NOT NULL),
    CONSTRAINT ck_bookings_party CHECK (party BETWEEN 1 AND 10),
    CONSTRAINT ck_bookings_times CHECK (ends_at > starts_at),
    CONSTRAINT ck_bookings_owed CHECK (owed_cents BETWEEN 0 AND price_cents)
);
CREATE INDEX ix_bookings_tenant_id_appointment_id ON bookings (tenant_id, appointment_id);
CREATE INDEX ix_bookings_tenant_id_starts_at ON bookings (tenant_id, starts_at);
CREATE INDEX ix_bookings_person_id_starts_at ON bookings (person_id, starts_at) WHERE person_id IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_address_hash ON bookings (tenant_id, address_hash, created_at)
    WHERE address_hash IS NOT NULL;
CREATE INDEX ix_bookings_expires_at ON bookings (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX uq_bookings_active_person ON bookings (tenant_id, appointment_id, person_id)
    WHERE status IN ('held', 'requested', 'confirmed');
ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;
ALTER TABLE bookings FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON bookings TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY founding ON bookings TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON bookings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (status, party, appointment_id, participants, person_name, note, starts_at, ends_at, place_text,
    waiver_level,
    waiver_id, waiver_until, sequence, moves, series_id, proposed_start, expires_at, confirmed_at, ended_by, ended_at,
    reason, owed_cents, idempotency_key, digest) ON bookings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON bookings TO porchlight_overseer;

CREATE TABLE booking_events (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid,
    at timestamptz NOT NULL DEFAULT now(),
    actor text NOT NULL,
    event text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT pk_booking_events PRIMARY KEY (tenant_id, booking_id, number),
    CONSTRAINT fk_booking_events_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_events_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_events_actor CHECK (actor IN ('person', 'guru', 'staff', 'system'))
);
CREATE INDEX ix_booking_events_person_id ON booking_events (person_id) WHERE person_id IS NOT NULL;
ALTER TABLE booking_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_events FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON booking_events TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY founding ON booking_events TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_events TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON booking_events TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_events TO porchlight_overseer;

CREATE TABLE waitlist (
    tenant_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid NOT NULL,
    party smallint NOT NULL DEFAULT 1,
    status text NOT NULL DEFAULT 'waiting',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_waitlist PRIMARY KEY (tenant_id, appointment_id, number),
    CONSTRAINT fk_waitlist_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_waitlist_tenant_id_appointment_id FOREIGN KEY (tenant_id, appointment_id)
        REFERENCES appointments (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_waitlist_status CHECK (status IN ('waiting', 'offered', 'taken', 'lapsed', 'left')),
    CONSTRAINT ck_waitlist_party CHECK (party BETWEEN 1 AND 10)
);
CREATE INDEX ix_waitlist_person_id ON waitlist (person_id);
CREATE UNIQUE INDEX uq_waitlist_active_person ON waitlist (tenant_id, appointment_id, person_id)
    WHERE status IN ('waiting', 'offered');
ALTER TABLE waitlist ENABLE ROW LEVEL SECURITY;
ALTER TABLE waitlist FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON waitlist TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY lookup ON waitlist FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON waitlist TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON waitlist TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waitlist TO porchlight_overseer;

CREATE POLICY lookup ON services FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
