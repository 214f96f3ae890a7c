"""Neighbours: users, profiles, sessions, photos; flags; the front page; the contact form."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER, OWNER

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE users (
    user_id uuid CONSTRAINT pk_users PRIMARY KEY,
    firebase_uid text NOT NULL CONSTRAINT uq_users_firebase_uid UNIQUE,
    email text NOT NULL DEFAULT '',
    email_verified boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'active',
    signed_out_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_users_status CHECK (status IN ('active', 'erased')),
    CONSTRAINT ck_users_erased CHECK (status = 'active' OR email = '')
);

CREATE TABLE profiles (
    user_id uuid CONSTRAINT pk_profiles PRIMARY KEY
        CONSTRAINT fk_profiles_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    handle text NOT NULL CONSTRAINT uq_profiles_handle UNIQUE,
    first_name text NOT NULL DEFAULT '',
    last_name text NOT NULL DEFAULT '',
    display_name text NOT NULL DEFAULT '',
    bio text NOT NULL DEFAULT '',
    location text NOT NULL DEFAULT '',
    photo_id uuid,
    photo_url text NOT NULL DEFAULT '',
    skills_offered jsonb NOT NULL DEFAULT '[]',
    skills_wanted jsonb NOT NULL DEFAULT '[]',
    languages text[] NOT NULL DEFAULT '{}',
    availability text NOT NULL DEFAULT '',
    is_public boolean NOT NULL DEFAULT true,
    shows_location boolean NOT NULL DEFAULT true,
    shows_skills boolean NOT NULL DEFAULT true,
    shows_availability boolean NOT NULL DEFAULT true,
    registered_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_profiles_handle CHECK (handle ~ '^[a-z0-9](-?[a-z0-9]){2,39}$')
);

CREATE TABLE photos (
    user_id uuid NOT NULL CONSTRAINT fk_photos_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL CONSTRAINT uq_photos_id UNIQUE,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_photos PRIMARY KEY (user_id, id)
);
ALTER TABLE photos ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE sessions (
    user_id uuid NOT NULL CONSTRAINT fk_sessions_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL,
    secret_hash bytea NOT NULL CONSTRAINT uq_sessions_secret_hash UNIQUE,
    authenticated_at timestamptz NOT NULL,
    token_issued_at timestamptz NOT NULL,
    user_agent text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (user_id, id)
);

CREATE TABLE flag_settings (
    name text CONSTRAINT pk_flag_settings PRIMARY KEY,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE guru_flags (
    tenant_id uuid NOT NULL CONSTRAINT fk_guru_flags_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    name text NOT NULL,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_guru_flags PRIMARY KEY (tenant_id, name)
);

CREATE TABLE contact_messages (
    id uuid CONSTRAINT pk_contact_messages PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL CONSTRAINT uq_contact_messages_idempotency_key UNIQUE,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_contact_messages_created_at ON contact_messages (created_at);
CREATE INDEX ix_contact_messages_address_hash_created_at ON contact_messages (address_hash, created_at);
"""

# Before a person is known, a request may ask whose token or cookie it holds, and what is public about somebody.
LOOKUPS = """
CREATE FUNCTION app.find_user(wanted text)
RETURNS TABLE (user_id uuid, status text, signed_out_at timestamptz, email text, email_verified boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.user_id, u.status, u.signed_out_at, u.email, u.email_verified FROM users u WHERE u.firebase_uid = wanted
$$;

CREATE FUNCTION app.find_session(wanted bytea)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at
    FROM sessions s JOIN users u ON u.user_id = s.user_id
   WHERE s.secret_hash = wanted AND s.expires_at > now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;

CREATE FUNCTION app.public_profile(wanted text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'handle', p.handle, 'display_name', p.display_name, 'bio', p.bio,
           'photo_id', p.photo_id, 'photo_url', p.photo_url, 'languages', p.languages, 'created_at', p.created_at,
           'location', CASE WHEN p.shows_location THEN p.location ELSE '' END,
           'skills_offered', CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END,
           'skills_wanted', CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END,
           'availability', CASE WHEN p.shows_availability THEN p.availability ELSE '' END)
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;

CREATE FUNCTION app.photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT body FROM photos WHERE id = wanted
$$;

CREATE FUNCTION app.front_page(most_gurus integer, most_posts integer) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH newest AS MATERIALIZED (
    SELECT id, label, character, category, tagline, primary_color, secondary_color, icon, emoji
      FROM gurus WHERE status = 'active' ORDER BY created_at DESC LIMIT 3 * most_gurus
  ), latest AS MATERIALIZED (
    SELECT n.*, p.slug, p.title, p.excerpt, p.words, p.published_at
      FROM newest n LEFT JOIN LATERAL (
        SELECT p.slug, p.title, p.excerpt, p.words, p.published_at FROM posts p
         WHERE p.tenant_id = n.id AND p.status = 'published' AND p.published_at <= now()
         ORDER BY p.published_at DESC, p.id DESC LIMIT 1) p ON true
  )
  SELECT jsonb_build_object(
    'gurus', (SELECT coalesce(jsonb_agg(to_jsonb(g) - '{id,slug,title,excerpt,words,published_at}'::text[]
                                        ORDER BY g.published_at DESC NULLS LAST), '[]')
                FROM (SELECT * FROM latest ORDER BY published_at DESC NULLS LAST LIMIT most_gurus) g),
    'posts', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'label', t.label, 'character', t.character, 'slug', t.slug, 'title', t.title,
                       'excerpt', t.excerpt, 'words', t.words,
                       'published_at', to_char(t.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
                     ORDER BY t.published_at DESC), '[]')
                FROM (SELECT * FROM latest WHERE slug IS NOT NULL ORDER BY published_at DESC LIMIT most_posts) t))
$$;
"""

# One statement leaves a message: limits, the message and the job. Requests have no other way to the table.
CONTACT = """
CREATE FUNCTION app.leave_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, key text, new_digest bytea,
  per_address integer, in_all integer, task text
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier bytea;
BEGIN
  SELECT m.digest INTO earlier FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    IF (SELECT count(*) FROM (SELECT FROM contact_messages m
         WHERE m.address_hash = leave_contact_message.address_hash AND m.created_at > now() - interval '1 hour'
         LIMIT per_address) a) >= per_address
    OR (SELECT count(*) FROM (SELECT FROM contact_messages m
         WHERE m.created_at > now() - interval '1 hour' LIMIT in_all) a) >= in_all THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO contact_messages (id, name, email, subject, message, address_hash, idempotency_key, digest)
    VALUES (new_id, name, email, subject, message, address_hash, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      PERFORM app.enqueue(task, jsonb_build_object('message_id', new_id), NULL);
      RETURN QUERY SELECT 'kept';
      RETURN;
    END IF;
    SELECT m.digest INTO earlier FROM contact_messages m WHERE m.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier = new_digest THEN 'same' ELSE 'other' END;
END $$;
"""

FUNCTIONS = (
    "app.find_user(text)",
    "app.find_session(bytea)",
    "app.public_profile(text)",
    "app.photo(uuid)",
    "app.front_page(integer, integer)",
    "app.leave_contact_message(uuid, text, text, text, text, bytea, text, bytea, integer, integer, text)",
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    for table in ("users", "profiles", "photos", "sessions"):
        run(fence(table, key="user_id", setting="uid", directory=True))
    run(fence("guru_flags"))
    # The front page reads across gurus, through its function alone.
    run(f"CREATE POLICY directory ON posts FOR SELECT TO {OWNER} USING (true)")
    run(LOOKUPS)
    run(CONTACT)
    for function in FUNCTIONS:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}, {OVERSEER}")
    run(f"GRANT SELECT ON flag_settings TO {APP}")
    run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON flag_settings TO {OVERSEER}")
    run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON contact_messages TO {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for function in FUNCTIONS:
        run(f"DROP FUNCTION {function}")
    run("DROP POLICY directory ON posts")
    run("DROP TABLE contact_messages, guru_flags, flag_settings, sessions, photos, profiles, users")
