"""Oversight: suspended neighbours, counters that are read at once, reports, and staff who look as a guru."""

from __future__ import annotations

from alembic import op

from tenants.roles import APP, OVERSEER

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

# `suspended_site`: the person's site was taken down with them, so it comes back with them.
USERS = """
ALTER TABLE users ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_reason text NOT NULL DEFAULT '',
  ADD COLUMN suspended_site boolean NOT NULL DEFAULT false;
ALTER TABLE users DROP CONSTRAINT ck_users_status, DROP CONSTRAINT ck_users_erased;
ALTER TABLE users ADD CONSTRAINT ck_users_status CHECK (status IN ('active', 'suspended', 'erased')),
  ADD CONSTRAINT ck_users_erased CHECK (status <> 'erased' OR email = '');
CREATE INDEX ix_users_suspended ON users (user_id) WHERE status = 'suspended';
CREATE INDEX ix_users_email_trgm ON users USING gin (email gin_trgm_ops);
CREATE INDEX ix_profiles_display_name_trgm ON profiles USING gin (display_name gin_trgm_ops);
CREATE INDEX ix_profiles_handle_trgm ON profiles USING gin (handle gin_trgm_ops);
CREATE INDEX ix_gurus_status ON gurus (status, id);
"""

# Counting 50,000 rows for every look at the overview costs more than keeping count. Sixteen rows a counter, so that
# transactions that count at once seldom wait for one another; statement triggers, so that a bulk load counts once.
TOTALS = """
CREATE TABLE totals (
    name text NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_totals PRIMARY KEY (name, slot)
);
CREATE FUNCTION app.count_up(counter text, by_how_many bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO totals AS t (name, slot, value) SELECT counter, mod(pg_backend_pid(), 16), by_how_many
  WHERE by_how_many <> 0
  ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value
$$;
CREATE FUNCTION app.total(counter text) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(sum(value), 0)::bigint FROM totals WHERE name = counter
$$;
CREATE FUNCTION app.counted_insert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.count_up(TG_ARGV[0], (SELECT count(*) FROM new_rows));
  RETURN NULL;
END $$;
CREATE FUNCTION app.counted_delete() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.count_up(TG_ARGV[0], -(SELECT count(*) FROM old_rows));
  RETURN NULL;
END $$;
CREATE FUNCTION app.users_counted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM app.count_up('users', (SELECT count(*) FROM new_rows WHERE status <> 'erased'));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM app.count_up('users', -(SELECT count(*) FROM old_rows WHERE status <> 'erased'));
  ELSE
    PERFORM app.count_up('users', CASE WHEN NEW.status = 'erased' THEN -1 ELSE 1 END);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER counted_insert AFTER INSERT ON users REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.users_counted();
CREATE TRIGGER counted_delete AFTER DELETE ON users REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.users_counted();
CREATE TRIGGER counted_update AFTER UPDATE OF status ON users
  FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased')) EXECUTE FUNCTION app.users_counted();
CREATE TRIGGER counted_insert AFTER INSERT ON gurus REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.counted_insert('gurus');
CREATE TRIGGER counted_delete AFTER DELETE ON gurus REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.counted_delete('gurus');
"""

# Reports are staff's to read. `guru_id` is whom a site or post belongs to, `subject_id` what is reported,
# `subject_name` how an address names it.
REPORTS = """
CREATE TABLE reports (
    id uuid CONSTRAINT pk_reports PRIMARY KEY,
    subject_kind text NOT NULL,
    subject_id uuid NOT NULL,
    subject_name text NOT NULL,
    subject_title text NOT NULL,
    guru_id uuid CONSTRAINT fk_reports_guru_id REFERENCES gurus (id) ON DELETE SET NULL,
    reason text NOT NULL,
    details text NOT NULL DEFAULT '',
    reporter_id uuid CONSTRAINT fk_reports_reporter_id REFERENCES users (user_id) ON DELETE SET NULL,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL CONSTRAINT uq_reports_idempotency_key UNIQUE,
    digest bytea NOT NULL,
    status text NOT NULL DEFAULT 'open',
    outcome text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    resolved_by text NOT NULL DEFAULT '',
    resolved_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_reports_subject_kind CHECK (subject_kind IN ('site', 'post', 'profile', 'listing')),
    CONSTRAINT ck_reports_status CHECK (status IN ('open', 'resolved')),
    CONSTRAINT ck_reports_outcome CHECK ((status = 'open') = (outcome = '')),
    CONSTRAINT ck_reports_resolved CHECK ((status = 'open') = (resolved_at IS NULL))
);
CREATE INDEX ix_reports_status ON reports (status, id);
CREATE INDEX ix_reports_subject ON reports (subject_kind, subject_id);
CREATE INDEX ix_reports_guru_id ON reports (guru_id);
CREATE INDEX ix_reports_reporter_id ON reports (reporter_id);
CREATE INDEX ix_reports_created_at ON reports (created_at);
CREATE INDEX ix_reports_address_hash_created_at ON reports (address_hash, created_at);
CREATE INDEX ix_reports_subject_name_trgm ON reports USING gin (subject_name gin_trgm_ops);
CREATE TRIGGER counted_insert AFTER INSERT ON reports REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.counted_insert('reports');
CREATE TRIGGER counted_delete AFTER DELETE ON reports REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION app.counted_delete('reports');
"""

# One statement leaves a report: what it is about, the limits and the report. Requests have no other way to the table.
# What is hidden or not published cannot be reported: it answers like what does not exist.
LEAVE = """
CREATE FUNCTION app.reported(kind text, name text)
RETURNS TABLE (subject_id uuid, subject_name text, subject_title text, guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.character, g.id FROM gurus g
   WHERE kind = 'site' AND g.label = name AND g.status = 'active'
  UNION ALL
  SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
   WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
     AND g.status = 'active' AND p.status = 'published' AND p.published_at <= now()
  UNION ALL
  SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
CREATE FUNCTION app.leave_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea, key text,
  new_digest bytea, per_address integer, in_all integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier bytea;
  subject record;
BEGIN
  SELECT r.digest INTO earlier FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT * INTO subject FROM app.reported(kind, name);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF (SELECT count(*) FROM (SELECT FROM reports r
         WHERE r.address_hash = address AND r.created_at > now() - interval '1 hour'
         LIMIT per_address) a) >= per_address
    OR (SELECT count(*) FROM (SELECT FROM reports r
         WHERE r.created_at > now() - interval '1 hour' LIMIT in_all) a) >= in_all THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, idempotency_key, digest)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, reporter, address, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'kept';
      RETURN;
    END IF;
    SELECT r.digest INTO earlier FROM reports r WHERE r.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier = new_digest THEN 'same' ELSE 'other' END;
END $$;
"""

IMPERSONATIONS = """
CREATE TABLE impersonations (
    id uuid CONSTRAINT pk_impersonations PRIMARY KEY,
    session_id uuid NOT NULL CONSTRAINT fk_impersonations_session_id
        REFERENCES admin_sessions (id) ON DELETE CASCADE,
    guru_id uuid NOT NULL CONSTRAINT fk_impersonations_guru_id REFERENCES gurus (id) ON DELETE CASCADE,
    reason text NOT NULL,
    raised_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz
);
CREATE INDEX ix_impersonations_session_id ON impersonations (session_id);
CREATE INDEX ix_impersonations_guru_id ON impersonations (guru_id);
"""

COUNT_WHAT_IS_THERE = """
SELECT app.count_up('users', (SELECT count(*) FROM users WHERE status <> 'erased'));
SELECT app.count_up('gurus', (SELECT count(*) FROM gurus));
"""

DEFINERS = (
    "app.count_up(text, bigint)",
    "app.counted_insert()",
    "app.counted_delete()",
    "app.users_counted()",
    "app.reported(text, text)",
    "app.leave_report(uuid, text, text, text, text, uuid, bytea, text, bytea, integer, integer)",
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for part in (USERS, TOTALS, REPORTS, LEAVE, IMPERSONATIONS, COUNT_WHAT_IS_THERE):
        run(part)
    for function in DEFINERS:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
    run(f"GRANT EXECUTE ON FUNCTION {DEFINERS[-1]} TO {APP}, {OVERSEER}")
    run(f"GRANT SELECT ON totals TO {OVERSEER}")
    run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON reports, impersonations TO {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for table in ("users", "gurus"):
        for event in ("insert", "delete"):
            run(f"DROP TRIGGER counted_{event} ON {table}")
    run("DROP TRIGGER counted_update ON users")
    run("DROP TABLE impersonations, reports, totals")
    for function in (*reversed(DEFINERS), "app.total(text)"):
        run(f"DROP FUNCTION {function}")
    run(
        "DROP INDEX ix_gurus_status; DROP INDEX ix_profiles_handle_trgm; DROP INDEX ix_profiles_display_name_trgm;"
        " DROP INDEX ix_users_email_trgm; DROP INDEX ix_users_suspended"
    )
    run("UPDATE users SET status = 'active' WHERE status = 'suspended'")
    run(
        "ALTER TABLE users DROP CONSTRAINT ck_users_status, DROP CONSTRAINT ck_users_erased,"
        " DROP COLUMN suspended_at, DROP COLUMN suspended_reason, DROP COLUMN suspended_site"
    )
    run(
        "ALTER TABLE users ADD CONSTRAINT ck_users_status CHECK (status IN ('active', 'erased')),"
        " ADD CONSTRAINT ck_users_erased CHECK (status = 'active' OR email = '')"
    )
