"""Add messages, reviews, calendars, passes, packages, exchanges and notifications."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE threads (
    person_a_id uuid NOT NULL,
    person_b_id uuid NOT NULL,
    id uuid NOT NULL,
    guru_id uuid,
    number integer NOT NULL DEFAULT 0,
    opened_by uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_threads PRIMARY KEY (person_a_id, id),
    CONSTRAINT uq_threads_person_a_id_person_b_id_guru_id UNIQUE NULLS NOT DISTINCT (person_a_id, person_b_id, guru_id),
    CONSTRAINT ck_threads_people CHECK (person_a_id < person_b_id),
    CONSTRAINT ck_threads_opened_by CHECK (opened_by IN (person_a_id, person_b_id))
);
CREATE INDEX ix_threads_person_b_id ON threads (person_b_id);
CREATE UNIQUE INDEX ix_threads_id ON threads (id);
CREATE INDEX ix_threads_opened_by_created_at ON threads (opened_by, created_at);

CREATE TABLE messages (
    person_a_id uuid NOT NULL,
    person_b_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    number integer NOT NULL,
    id uuid NOT NULL,
    sender_id uuid NOT NULL,
    body text NOT NULL,
    files jsonb NOT NULL DEFAULT '[]',
    change_a bigint NOT NULL,
    change_b bigint NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    removed_at timestamptz,
    CONSTRAINT pk_messages PRIMARY KEY (person_a_id, thread_id, number),
    CONSTRAINT uq_messages_person_a_id_thread_id_sender_id_idempotency_key UNIQUE (person_a_id, thread_id,
        sender_id, idempotency_key),
    CONSTRAINT fk_messages_person_a_id_thread_id FOREIGN KEY (person_a_id, thread_id)
        REFERENCES threads (person_a_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_messages_sender CHECK (sender_id IN (person_a_id, person_b_id)),
    CONSTRAINT ck_messages_removed CHECK (removed_at IS NULL OR (body = '' AND files = '[]'))
);
CREATE INDEX ix_messages_person_a_id_change_a ON messages (person_a_id, change_a);
CREATE INDEX ix_messages_person_b_id_change_b ON messages (person_b_id, change_b);
CREATE INDEX ix_messages_sender_id_created_at ON messages (sender_id, created_at);

CREATE TABLE inboxes (
    user_id uuid NOT NULL,
    change bigint NOT NULL DEFAULT 0,
    unread integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_inboxes PRIMARY KEY (user_id),
    CONSTRAINT fk_inboxes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_inboxes_unread CHECK (unread >= 0)
);

CREATE TABLE thread_members (
    user_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    other_id uuid NOT NULL,
    side text NOT NULL,
    read_number integer NOT NULL DEFAULT 0,
    unread integer NOT NULL DEFAULT 0,
    change bigint NOT NULL,
    muted boolean NOT NULL DEFAULT false,
    archived boolean NOT NULL DEFAULT false,
    request boolean NOT NULL DEFAULT false,
    held_until timestamptz,
    mail_due_at timestamptz,
    mailed_at timestamptz,
    last_at timestamptz NOT NULL,
    CONSTRAINT pk_thread_members PRIMARY KEY (user_id, thread_id),
    CONSTRAINT fk_thread_members_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_thread_members_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_thread_members_unread CHECK (unread >= 0)
);
CREATE INDEX ix_thread_members_user_id_last_at ON thread_members (user_id, last_at, thread_id);
CREATE INDEX ix_thread_members_user_id_change ON thread_members (user_id, change);
CREATE INDEX ix_thread_members_mail_due_at ON thread_members (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX ix_thread_members_held_until ON thread_members (held_until) WHERE held_until IS NOT NULL;

CREATE TABLE blocks (
    user_id uuid NOT NULL,
    blocked_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_blocks PRIMARY KEY (user_id, blocked_id),
    CONSTRAINT uq_blocks_user_id_id UNIQUE (user_id, id),
    CONSTRAINT fk_blocks_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_blocks_people CHECK (user_id <> blocked_id)
);
CREATE INDEX ix_blocks_blocked_id ON blocks (blocked_id);

CREATE TABLE message_files (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL DEFAULT '',
    size bigint NOT NULL DEFAULT 0,
    width integer NOT NULL DEFAULT 0,
    height integer NOT NULL DEFAULT 0,
    thumbnail bytea,
    thread_id uuid,
    number integer NOT NULL DEFAULT 0,
    stored_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_message_files PRIMARY KEY (user_id, id),
    CONSTRAINT uq_message_files_id UNIQUE (id),
    CONSTRAINT fk_message_files_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
CREATE INDEX ix_message_files_created_at ON message_files (created_at) WHERE thread_id IS NULL;
CREATE INDEX ix_message_files_user_id_thread_id ON message_files (user_id, thread_id, number);

-- Questions become threads. They went out by email, so they are read.
CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
  SELECT q.user_id AS sender_id, q.id, q.body, q.idempotency_key, q.created_at,
         least(q.user_id, q.recipient_id) AS a, greatest(q.user_id, q.recipient_id) AS b,
         first_value(q.id) OVER (PARTITION BY least(q.user_id, q.recipient_id), greatest(q.user_id, q.recipient_id)
                                 ORDER BY q.created_at, q.id) AS thread_id,
         row_number() OVER (PARTITION BY least(q.user_id, q.recipient_id), greatest(q.user_id, q.recipient_id)
                            ORDER BY q.created_at, q.id)::integer AS number
    FROM questions q;
CREATE TEMPORARY TABLE moved_changes ON COMMIT DROP AS
  SELECT p.user_id, m.id, m.thread_id, row_number() OVER (PARTITION BY p.user_id ORDER BY m.created_at, m.id) AS change
    FROM moved m CROSS JOIN LATERAL (VALUES (m.a), (m.b)) p (user_id);
INSERT INTO threads (person_a_id, person_b_id, id, number, opened_by, created_at)
  SELECT m.a, m.b, m.thread_id, (SELECT max(n.number) FROM moved n WHERE n.thread_id = m.thread_id), m.sender_id,
         m.created_at
    FROM moved m WHERE m.number = 1;
INSERT INTO messages (person_a_id, person_b_id, thread_id, number, id, sender_id, body, change_a, change_b,
                      idempotency_key, digest, created_at)
  SELECT m.a, m.b, m.thread_id, m.number, m.id, m.sender_id, m.body, a.change, b.change, m.id::text, '', m.created_at
    FROM moved m JOIN moved_changes a ON a.id = m.id AND a.user_id = m.a
    JOIN moved_changes b ON b.id = m.id AND b.user_id = m.b;
INSERT INTO inboxes (user_id, change) SELECT c.user_id, max(c.change) FROM moved_changes c GROUP BY 1;
INSERT INTO thread_members (user_id, thread_id, other_id, side, read_number, change, last_at)
  SELECT c.user_id, c.thread_id, max(CASE WHEN m.a = c.user_id THEN m.b ELSE m.a END::text)::uuid, 'person',
         max(m.number), max(c.change), max(m.created_at)
    FROM moved_changes c JOIN moved m ON m.id = c.id GROUP BY 1, 2;

ALTER TABLE threads ENABLE ROW LEVEL SECURITY;
ALTER TABLE threads FORCE ROW LEVEL SECURITY;
CREATE POLICY pair ON threads TO porchlight_app USING (app.user_id() IN (person_a_id, person_b_id))
    WITH CHECK (app.user_id() IN (person_a_id, person_b_id));
CREATE POLICY directory ON threads FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON threads TO porchlight_owner USING (app.user_id() IN (person_a_id, person_b_id))
    WITH CHECK (app.user_id() IN (person_a_id, person_b_id));
CREATE POLICY overseer ON threads TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON threads TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON threads TO porchlight_overseer;

ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY pair ON messages TO porchlight_app USING (app.user_id() IN (person_a_id, person_b_id))
    WITH CHECK (app.user_id() IN (person_a_id, person_b_id));
CREATE POLICY directory ON messages FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON messages TO porchlight_owner USING (app.user_id() IN (person_a_id, person_b_id))
    WITH CHECK (app.user_id() IN (person_a_id, person_b_id));
CREATE POLICY overseer ON messages TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON messages TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON messages TO porchlight_overseer;

ALTER TABLE inboxes ENABLE ROW LEVEL SECURITY;
ALTER TABLE inboxes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON inboxes TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON inboxes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON inboxes TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON inboxes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON inboxes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON inboxes TO porchlight_overseer;

ALTER TABLE thread_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE thread_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON thread_members TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON thread_members FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON thread_members TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON thread_members TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE, DELETE ON thread_members TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON thread_members TO porchlight_overseer;

ALTER TABLE blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE blocks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON blocks TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON blocks FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON blocks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON blocks TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON blocks TO porchlight_overseer;

ALTER TABLE message_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE message_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON message_files TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON message_files FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON message_files TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON message_files TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON message_files TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON message_files TO porchlight_overseer;

-- A guru writes to the neighbor who left a lead: app.message_recipient finds the account.
CREATE POLICY directory ON leads FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY directory ON lead_addresses FOR SELECT TO porchlight_owner USING (true);

-- The last messages of a reported thread, as they were.
ALTER TABLE reports ADD COLUMN evidence jsonb;
ALTER TABLE reports DROP CONSTRAINT ck_reports_subject_kind;
UPDATE reports r SET subject_kind = 'thread' WHERE r.subject_kind = 'question';
ALTER TABLE reports ADD CONSTRAINT ck_reports_subject_kind
    CHECK (subject_kind IN ('site', 'post', 'profile', 'listing', 'thread'));
DROP FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer, interval, integer);
DROP FUNCTION app.question_card(uuid);
DROP TABLE questions;

ALTER TABLE thread_members ADD COLUMN reply_token uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD CONSTRAINT uq_thread_members_reply_token UNIQUE (reply_token);
ALTER TABLE messages ADD COLUMN mail_check text NOT NULL DEFAULT '',
    ADD CONSTRAINT ck_messages_mail_check CHECK (mail_check IN ('', 'verified', 'unknown'));

ALTER TABLE bookings ADD COLUMN checked_in_at timestamptz;
CREATE TABLE reviews (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    booking_id uuid NOT NULL,
    person_id uuid NOT NULL,
    side text NOT NULL,
    service_id uuid NOT NULL,
    service_name text NOT NULL,
    stars smallint NOT NULL,
    body text NOT NULL DEFAULT '',
    private_note text NOT NULL DEFAULT '',
    address_hash bytea,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    reveals_at timestamptz NOT NULL,
    published_at timestamptz,
    reply text NOT NULL DEFAULT '',
    replied_at timestamptz,
    removed_at timestamptz,
    removed_why text NOT NULL DEFAULT '',
    CONSTRAINT pk_reviews PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_reviews_tenant_id_booking_id_side UNIQUE (tenant_id, booking_id, side),
    CONSTRAINT fk_reviews_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_reviews_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_reviews_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_reviews_stars CHECK (stars BETWEEN 1 AND 5),
    CONSTRAINT ck_reviews_words CHECK (length(body) <= 2000 AND length(reply) <= 2000),
    CONSTRAINT ck_reviews_private_note CHECK
        (private_note = '' OR side = 'person' AND length(private_note) <= 2000),
    CONSTRAINT ck_reviews_removed CHECK ((removed_at IS NULL) = (removed_why = ''))
);
CREATE INDEX ix_reviews_person_id ON reviews (person_id);
CREATE INDEX ix_reviews_tenant_id_reveals_at ON reviews (tenant_id, reveals_at, id);
CREATE INDEX ix_reviews_id ON reviews (id) WHERE published_at IS NOT NULL;
CREATE INDEX ix_reviews_reveals_at ON reviews (reveals_at) WHERE published_at IS NULL;
ALTER TABLE reviews ENABLE ROW LEVEL SECURITY;
ALTER TABLE reviews FORCE ROW LEVEL SECURITY;
CREATE POLICY parties ON reviews TO porchlight_app
    USING (tenant_id = app.acting_tenant_id() OR person_id = app.user_id())
    WITH CHECK (tenant_id = app.acting_tenant_id() OR person_id = app.user_id());
CREATE POLICY blind ON reviews AS RESTRICTIVE TO porchlight_app
    USING (reveals_at <= app.now() OR side = 'person' AND person_id = app.user_id()
           OR side = 'guru' AND tenant_id = app.acting_tenant_id());
CREATE POLICY replies ON reviews AS RESTRICTIVE FOR UPDATE TO porchlight_app
    USING (reveals_at <= app.now() AND (side = 'person' AND tenant_id = app.acting_tenant_id()
                                        OR side = 'guru' AND person_id = app.user_id()));
CREATE POLICY directory ON reviews FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON reviews TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON reviews TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON reviews TO porchlight_app;
GRANT UPDATE (reply, replied_at) ON reviews TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON reviews TO porchlight_overseer;
CREATE TABLE review_totals (
    tenant_id uuid NOT NULL,
    histogram integer[] NOT NULL,
    services jsonb NOT NULL DEFAULT '{}',
    score double precision NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_review_totals PRIMARY KEY (tenant_id),
    CONSTRAINT fk_review_totals_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_review_totals_histogram CHECK (array_length(histogram, 1) = 5)
);
ALTER TABLE review_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE review_totals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON review_totals TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON review_totals FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON review_totals TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON review_totals TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON review_totals TO porchlight_overseer;
ALTER TABLE reports DROP CONSTRAINT ck_reports_subject_kind;
ALTER TABLE reports ADD CONSTRAINT ck_reports_subject_kind
    CHECK (subject_kind IN ('site', 'post', 'profile', 'listing', 'thread', 'review'));
-- The function has one more parameter and one more column now.
DROP FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer);

CREATE TABLE busy_sources (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    secret bytea NOT NULL,
    all_day_blocks boolean NOT NULL DEFAULT true,
    read_due_at timestamptz NOT NULL DEFAULT app.now(),
    last_good_at timestamptz,
    failing_since timestamptz,
    failure text NOT NULL DEFAULT '',
    is_paused boolean NOT NULL DEFAULT false,
    notices smallint NOT NULL DEFAULT 0,
    kept_at timestamptz,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_busy_sources PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_busy_sources_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_busy_sources_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT ck_busy_sources_kind CHECK (kind IN ('ics', 'caldav')),
    CONSTRAINT ck_busy_sources_name CHECK (length(name) BETWEEN 1 AND 60)
);
CREATE INDEX ix_busy_sources_read_due_at ON busy_sources (read_due_at);
ALTER TABLE busy_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE busy_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON busy_sources TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
CREATE POLICY overseer ON busy_sources TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON busy_sources TO porchlight_app, porchlight_overseer;

CREATE TABLE busy_times (
    tenant_id uuid NOT NULL,
    source_id uuid NOT NULL,
    during tstzrange NOT NULL,
    CONSTRAINT pk_busy_times PRIMARY KEY (tenant_id, source_id, during),
    CONSTRAINT fk_busy_times_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_busy_times_tenant_id_source_id FOREIGN KEY (tenant_id, source_id)
        REFERENCES busy_sources (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_busy_times_during CHECK (NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during))
);
CREATE INDEX ix_busy_times_tenant_id_during ON busy_times USING gist (tenant_id, during);
ALTER TABLE busy_times ENABLE ROW LEVEL SECURITY;
ALTER TABLE busy_times FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON busy_times TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON busy_times FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON busy_times TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON busy_times TO porchlight_app, porchlight_overseer;

CREATE TABLE calendar_feeds (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    read_at timestamptz,
    reads_since timestamptz,
    reads smallint NOT NULL DEFAULT 0,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_calendar_feeds PRIMARY KEY (user_id, id),
    CONSTRAINT uq_calendar_feeds_secret_hash UNIQUE (secret_hash),
    CONSTRAINT uq_calendar_feeds_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT fk_calendar_feeds_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_calendar_feeds_kind CHECK (kind IN ('personal', 'guru')),
    CONSTRAINT ck_calendar_feeds_name CHECK (length(name) BETWEEN 1 AND 60)
);
ALTER TABLE calendar_feeds ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_feeds FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON calendar_feeds TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON calendar_feeds FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON calendar_feeds TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendar_feeds TO porchlight_app, porchlight_overseer;

-- Its rows get one more column.
DROP FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer);

ALTER TABLE email_settings ADD COLUMN is_daily boolean NOT NULL DEFAULT false;
ALTER TABLE email_settings ADD COLUMN push boolean;
GRANT INSERT (is_daily, push), UPDATE (is_daily, push) ON email_settings TO porchlight_app;

CREATE TABLE notifications (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    url text NOT NULL,
    is_urgent boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    seen_at timestamptz,
    read_at timestamptz,
    is_mailed boolean NOT NULL,
    mail_at timestamptz,
    push_at timestamptz,
    digest_id uuid,
    CONSTRAINT pk_notifications PRIMARY KEY (user_id, id),
    CONSTRAINT uq_notifications_user_id_key UNIQUE (user_id, key),
    CONSTRAINT fk_notifications_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
CREATE INDEX ix_notifications_user_id ON notifications (user_id)
    WHERE mail_at IS NOT NULL OR push_at IS NOT NULL OR digest_id IS NOT NULL;
ALTER TABLE notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE notifications FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON notifications TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON notifications TO porchlight_app;
GRANT UPDATE (seen_at, read_at, mail_at, push_at, digest_id) ON notifications TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications TO porchlight_overseer;

CREATE TABLE notification_hours (
    user_id uuid NOT NULL,
    zone text NOT NULL,
    quiet_from smallint,
    quiet_until smallint,
    digest_at smallint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_notification_hours PRIMARY KEY (user_id),
    CONSTRAINT fk_notification_hours_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_notification_hours_quiet CHECK ((quiet_from IS NULL) = (quiet_until IS NULL)),
    CONSTRAINT ck_notification_hours_quiet_length CHECK (quiet_from <> quiet_until)
);
ALTER TABLE notification_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notification_hours TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON notification_hours TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON notification_hours TO porchlight_app, porchlight_overseer;

CREATE TABLE push_subscriptions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_hash bytea NOT NULL,
    endpoint text NOT NULL,
    public_key text NOT NULL,
    auth_secret text NOT NULL,
    device text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    last_ok_at timestamptz,
    CONSTRAINT pk_push_subscriptions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_push_subscriptions_user_id_endpoint_hash UNIQUE (user_id, endpoint_hash),
    CONSTRAINT fk_push_subscriptions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE push_subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE push_subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON push_subscriptions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON push_subscriptions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON push_subscriptions TO porchlight_app;
GRANT INSERT (user_id, id, endpoint_hash, endpoint, public_key, auth_secret, device) ON push_subscriptions
    TO porchlight_app;
GRANT UPDATE (public_key, auth_secret, device, created_at, last_ok_at) ON push_subscriptions TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscriptions TO porchlight_overseer;

ALTER TABLE bookings ADD COLUMN checked_in_by text NOT NULL DEFAULT '';
ALTER TABLE bookings ADD CONSTRAINT ck_bookings_check_in CHECK (
    (checked_in_at IS NULL) = (checked_in_by = '')
    AND (checked_in_at IS NULL OR status IN ('confirmed', 'completed')));

-- What a guru offers: a number of sessions of a service, to use within some days. It has no price yet.
CREATE TABLE packages (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    service_id uuid NOT NULL,
    name text NOT NULL,
    sessions smallint NOT NULL,
    days smallint NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_packages PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_packages_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_packages_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_packages_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_packages_days CHECK (days BETWEEN 1 AND 1096),
    CONSTRAINT ck_packages_sessions CHECK (sessions BETWEEN 2 AND 52)
);
CREATE INDEX ix_packages_tenant_id_service_id ON packages (tenant_id, service_id);
ALTER TABLE packages ENABLE ROW LEVEL SECURITY;
ALTER TABLE packages FORCE ROW LEVEL SECURITY;
CREATE POLICY lookup ON packages FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON packages TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY tenant ON packages TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
GRANT SELECT, INSERT, UPDATE, DELETE ON packages TO porchlight_app, porchlight_overseer;

-- A package that a guru gave to a person: rows of two parties. Names are copies. `left_over` are the sessions that can
-- be booked; app.apply_bookings keeps it. `taken_back` are those that the guru took back.
CREATE TABLE package_grants (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    package_id uuid,
    person_id uuid NOT NULL,
    person_name text NOT NULL DEFAULT '',
    is_customer boolean NOT NULL DEFAULT false,
    guru_label text NOT NULL,
    guru_name text NOT NULL,
    service_id uuid NOT NULL,
    service_name text NOT NULL,
    name text NOT NULL,
    granted smallint NOT NULL,
    left_over smallint NOT NULL,
    taken_back smallint NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL,
    zone text NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_package_grants PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_package_grants_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_package_grants_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_package_grants_tenant_id_package_id FOREIGN KEY (tenant_id, package_id)
        REFERENCES packages (tenant_id, id) ON DELETE SET NULL (package_id),
    CONSTRAINT ck_package_grants_granted CHECK (granted BETWEEN 2 AND 52),
    CONSTRAINT ck_package_grants_left_over CHECK (left_over BETWEEN 0 AND granted - taken_back),
    CONSTRAINT ck_package_grants_taken_back CHECK (taken_back BETWEEN 0 AND granted)
);
CREATE INDEX ix_package_grants_person_id ON package_grants (person_id, expires_at);
CREATE INDEX ix_package_grants_tenant_id_expires_at ON package_grants (tenant_id, expires_at, id);
CREATE INDEX ix_package_grants_tenant_id_package_id ON package_grants (tenant_id, package_id);
CREATE INDEX ix_package_grants_tenant_id_person_id ON package_grants (tenant_id, person_id);
ALTER TABLE package_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE package_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON package_grants TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON package_grants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON package_grants TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON package_grants TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON package_grants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON package_grants TO porchlight_overseer;

-- What the guru did with a package of a person: append-only. What was booked with it is in the history of the bookings.
CREATE TABLE package_events (
    tenant_id uuid NOT NULL,
    grant_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT app.now(),
    event text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT pk_package_events PRIMARY KEY (tenant_id, grant_id, number),
    CONSTRAINT fk_package_events_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_package_events_tenant_id_grant_id FOREIGN KEY (tenant_id, grant_id)
        REFERENCES package_grants (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_package_events_event CHECK (event IN ('granted', 'extended', 'taken_back'))
);
CREATE INDEX ix_package_events_person_id ON package_events (person_id);
CREATE INDEX ix_package_events_tenant_id_person_id ON package_events (tenant_id, person_id);
ALTER TABLE package_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE package_events FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON package_events TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON package_events TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON package_events TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON package_events TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON package_events TO porchlight_overseer;

ALTER TABLE bookings ADD COLUMN claimed_token uuid,
    ADD COLUMN package_grant_id uuid,
    ADD COLUMN package_sessions smallint NOT NULL DEFAULT 0,
    ADD COLUMN package_name text NOT NULL DEFAULT '',
    ADD CONSTRAINT fk_bookings_tenant_id_package_grant_id FOREIGN KEY (tenant_id, package_grant_id)
        REFERENCES package_grants (tenant_id, id),
    ADD CONSTRAINT ck_bookings_package_sessions
        CHECK (package_sessions = 0 OR package_sessions = party AND package_grant_id IS NOT NULL);
CREATE INDEX ix_bookings_tenant_id_claimed_token ON bookings (tenant_id, claimed_token)
    WHERE claimed_token IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_package_grant_id ON bookings (tenant_id, package_grant_id)
    WHERE package_grant_id IS NOT NULL;
ALTER TABLE booking_emails DROP CONSTRAINT ck_booking_emails_kind,
    ADD CONSTRAINT ck_booking_emails_kind CHECK (kind IN ('requested', 'booked', 'accepted', 'declined', 'expired',
        'withdrawn', 'canceled', 'moved', 'clocks_changed', 'place_changed', 'address_changed', 'proposed',
        'proposal_withdrawn', 'proposal_expired', 'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free',
        'person_said_no', 'guru_said_no', 'claimed', 'day_before', 'soon', 'waiver_week', 'waiver_days',
        'review_open', 'review_last', 'review_waiting', 'review_out'));

CREATE TABLE exchanges (
    person_a_id uuid NOT NULL,
    person_b_id uuid NOT NULL,
    id uuid NOT NULL,
    teacher_id uuid NOT NULL,
    offer_id uuid NOT NULL,
    skill text NOT NULL,
    status text NOT NULL,
    turn text NOT NULL DEFAULT '',
    round smallint NOT NULL DEFAULT 1,
    proposals timestamptz[] NOT NULL,
    minutes smallint NOT NULL,
    place text NOT NULL,
    note text NOT NULL DEFAULT '',
    reply text NOT NULL DEFAULT '',
    reply_by text NOT NULL DEFAULT '',
    teacher_zone text NOT NULL DEFAULT '',
    learner_zone text NOT NULL DEFAULT '',
    starts_at timestamptz,
    ends_at timestamptz,
    expires_at timestamptz,
    ended_by text NOT NULL DEFAULT '',
    sequence integer NOT NULL DEFAULT 0,
    risk text NOT NULL DEFAULT '',
    waiver_until timestamptz,
    guru_id uuid,
    remind_at timestamptz,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_exchanges PRIMARY KEY (person_a_id, id),
    CONSTRAINT uq_exchanges_person_a_id_person_b_id_teacher_id_idempotency_key UNIQUE (person_a_id, person_b_id,
        teacher_id, idempotency_key),
    CONSTRAINT ck_exchanges_people CHECK (person_a_id < person_b_id),
    CONSTRAINT ck_exchanges_teacher CHECK (teacher_id IN (person_a_id, person_b_id)),
    CONSTRAINT ck_exchanges_status CHECK (status IN
        ('asked', 'countered', 'confirmed', 'declined', 'canceled', 'expired', 'completed')),
    CONSTRAINT ck_exchanges_turn CHECK (turn IN ('', 'teacher', 'learner')),
    CONSTRAINT ck_exchanges_open CHECK
        ((status IN ('asked', 'countered')) = (expires_at IS NOT NULL AND turn <> '')),
    CONSTRAINT ck_exchanges_times CHECK ((starts_at IS NULL) = (ends_at IS NULL) AND ends_at > starts_at
        AND (starts_at IS NOT NULL OR status NOT IN ('confirmed', 'completed'))),
    CONSTRAINT ck_exchanges_proposals CHECK (cardinality(proposals) BETWEEN 1 AND 3),
    CONSTRAINT ck_exchanges_minutes CHECK (minutes BETWEEN 30 AND 240),
    CONSTRAINT ck_exchanges_round CHECK (round BETWEEN 1 AND 3),
    CONSTRAINT ck_exchanges_place CHECK (place IN ('teacher', 'learner', 'online', 'agreed')),
    CONSTRAINT ck_exchanges_risk CHECK (risk IN ('', 'low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_exchanges_ended_by CHECK (ended_by IN ('', 'teacher', 'learner')),
    CONSTRAINT ck_exchanges_reply_by CHECK (reply_by IN ('', 'teacher', 'learner')),
    CONSTRAINT ex_exchanges_teacher EXCLUDE USING gist
        (teacher_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status = 'confirmed')
);
CREATE INDEX ix_exchanges_person_b_id ON exchanges (person_b_id);
CREATE UNIQUE INDEX ix_exchanges_id ON exchanges (id);
CREATE INDEX ix_exchanges_expires_at ON exchanges (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_exchanges_remind_at ON exchanges (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX ix_exchanges_ends_at ON exchanges (ends_at) WHERE status = 'confirmed';
ALTER TABLE exchanges ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchanges FORCE ROW LEVEL SECURITY;
CREATE POLICY pair ON exchanges TO porchlight_app USING (app.user_id() IN (person_a_id, person_b_id))
    WITH CHECK (app.user_id() IN (person_a_id, person_b_id));
CREATE POLICY directory ON exchanges FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON exchanges TO porchlight_owner USING (app.user_id() IN (person_a_id, person_b_id))
    WITH CHECK (app.user_id() IN (person_a_id, person_b_id));
CREATE POLICY overseer ON exchanges TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON exchanges TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON exchanges TO porchlight_overseer;
-- A deleted account has bookings with several gurus, and a person writes to the guru of a booking.
CREATE POLICY own ON bookings FOR SELECT TO porchlight_owner USING (person_id = app.user_id());
-- An exchange takes its time in the calendar of its teacher's site.
ALTER TABLE appointments DROP CONSTRAINT ck_appointments_kind,
    ADD CONSTRAINT ck_appointments_kind CHECK (kind IN ('session', 'block', 'exchange'));
-- app.find_claimable finds bookings of a link, claimed or not.
DROP FUNCTION app.find_customer(uuid);
-- Views, statements of the app role and of service tasks, and triggers have replaced them.
DROP FUNCTION app.delete_pending_account_email();
DROP FUNCTION app.email_settings_of(uuid);
DROP FUNCTION app.erase_bookings();
DROP FUNCTION app.helper_card(uuid);
DROP FUNCTION app.offers_of(uuid, integer);
DROP FUNCTION app.own_swap_rings(integer);
DROP FUNCTION app.update_email_setting(uuid, text, boolean);
DROP FUNCTION app.waitlist_position(uuid, uuid);
DROP FUNCTION app.waiver_exchange(text, uuid);
DROP FUNCTION app.waiver_text_version(uuid);
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
