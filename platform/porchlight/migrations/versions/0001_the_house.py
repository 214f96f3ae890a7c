"""The house: gurus, their sites, leads, visits; the fences; the queue of jobs."""

from __future__ import annotations

from alembic import op
from procrastinate.schema import SchemaManager

from tenants.rls import FOUNDATIONS, fence, shows_on_site
from tenants.roles import APP, OVERSEER

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE gurus (
    id uuid CONSTRAINT pk_gurus PRIMARY KEY,
    label text NOT NULL CONSTRAINT uq_gurus_label UNIQUE,
    status text NOT NULL DEFAULT 'active',
    character text NOT NULL,
    category text NOT NULL,
    primary_skills text[] NOT NULL DEFAULT '{}',
    tagline text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    about_markdown text NOT NULL DEFAULT '',
    about_html text NOT NULL DEFAULT '',
    primary_color text NOT NULL DEFAULT '#22c55e',
    secondary_color text NOT NULL DEFAULT '#0ea5e9',
    icon text NOT NULL DEFAULT 'star',
    emoji text NOT NULL DEFAULT '',
    seo_title text NOT NULL DEFAULT '',
    seo_description text NOT NULL DEFAULT '',
    contact_email text NOT NULL DEFAULT '',
    content_version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_gurus_status CHECK (status IN ('active', 'suspended')),
    CONSTRAINT ck_gurus_label CHECK (label = lower(label) AND length(label) BETWEEN 1 AND 63)
);
CREATE INDEX ix_gurus_status_created_at ON gurus (status, created_at);

CREATE TABLE domains (
    tenant_id uuid NOT NULL CONSTRAINT fk_domains_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    domain text NOT NULL CONSTRAINT uq_domains_domain UNIQUE,
    verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_domains PRIMARY KEY (tenant_id, domain),
    CONSTRAINT ck_domains_domain CHECK (domain = lower(domain))
);

CREATE TABLE retired_labels (
    tenant_id uuid NOT NULL CONSTRAINT fk_retired_labels_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    label text NOT NULL CONSTRAINT uq_retired_labels_label UNIQUE,
    retired_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_retired_labels PRIMARY KEY (tenant_id, label)
);

CREATE TABLE posts (
    tenant_id uuid NOT NULL CONSTRAINT fk_posts_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    tags text[] NOT NULL DEFAULT '{}',
    excerpt text NOT NULL DEFAULT '',
    content_markdown text NOT NULL DEFAULT '',
    content_html text NOT NULL DEFAULT '',
    words integer NOT NULL DEFAULT 0,
    status text NOT NULL DEFAULT 'draft',
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_posts PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_posts_tenant_id_slug UNIQUE (tenant_id, slug),
    CONSTRAINT ck_posts_status CHECK (status IN ('draft', 'published')),
    CONSTRAINT ck_posts_published CHECK (status = 'draft' OR published_at IS NOT NULL)
);
CREATE INDEX ix_posts_tenant_id_published_at_id ON posts (tenant_id, published_at, id);

CREATE TABLE post_views (
    tenant_id uuid NOT NULL CONSTRAINT fk_post_views_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    post_id uuid NOT NULL,
    views bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_post_views PRIMARY KEY (tenant_id, post_id),
    CONSTRAINT fk_post_views_tenant_id_post_id
        FOREIGN KEY (tenant_id, post_id) REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE services (
    tenant_id uuid NOT NULL CONSTRAINT fk_services_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    price_cents bigint NOT NULL,
    currency text NOT NULL DEFAULT 'USD',
    duration_minutes integer,
    duration_label text NOT NULL DEFAULT '',
    popular boolean NOT NULL DEFAULT false,
    features text[] NOT NULL DEFAULT '{}',
    position integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_services PRIMARY KEY (tenant_id, id),
    CONSTRAINT ck_services_price CHECK (price_cents >= 0),
    CONSTRAINT ck_services_currency CHECK (currency = upper(currency) AND length(currency) = 3),
    CONSTRAINT ck_services_duration CHECK (duration_minutes IS NULL OR duration_minutes BETWEEN 5 AND 1440),
    CONSTRAINT ck_services_duration_known CHECK (duration_minutes IS NOT NULL OR duration_label <> '')
);
CREATE INDEX ix_services_tenant_id_position ON services (tenant_id, position);

CREATE TABLE leads (
    tenant_id uuid NOT NULL CONSTRAINT fk_leads_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    phone text NOT NULL DEFAULT '',
    message text NOT NULL,
    service_id uuid,
    page text NOT NULL DEFAULT '',
    status text NOT NULL DEFAULT 'new',
    consented_at timestamptz,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_leads PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_leads_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT ck_leads_status CHECK (status IN ('new', 'answered', 'closed')),
    CONSTRAINT fk_leads_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id)
);
CREATE INDEX ix_leads_tenant_id_created_at ON leads (tenant_id, created_at);
CREATE INDEX ix_leads_tenant_id_address_hash_created_at ON leads (tenant_id, address_hash, created_at);

CREATE TABLE daily_visits (
    tenant_id uuid NOT NULL CONSTRAINT fk_daily_visits_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    day date NOT NULL,
    visitors bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_daily_visits PRIMARY KEY (tenant_id, day)
);

CREATE TABLE view_marks (
    tenant_id uuid NOT NULL CONSTRAINT fk_view_marks_tenant_id REFERENCES gurus (id) ON DELETE CASCADE,
    day date NOT NULL,
    subject_id uuid NOT NULL,
    visitor bytea NOT NULL,
    CONSTRAINT pk_view_marks PRIMARY KEY (tenant_id, day, subject_id, visitor)
);

CREATE TABLE daily_salts (
    day date CONSTRAINT pk_daily_salts PRIMARY KEY,
    salt bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE mailbox (
    id uuid CONSTRAINT pk_mailbox PRIMARY KEY,
    key text NOT NULL CONSTRAINT uq_mailbox_key UNIQUE,
    tenant_id uuid,
    recipient text NOT NULL,
    reply_to text NOT NULL DEFAULT '',
    subject text NOT NULL,
    plain text NOT NULL,
    html text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_mailbox_sent_at ON mailbox (sent_at);
CREATE INDEX ix_mailbox_tenant_id ON mailbox (tenant_id);
"""

# A change of what a site shows gives it a new content version, in the same transaction. The guru's row says so to
# every worker: payload "<tenant id> <name> …", the names being labels and domains whose answer may have changed.
SITE_CHANGED = """
CREATE FUNCTION app.site_changed_insert() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM new_rows);
  RETURN NULL;
END $$;
CREATE FUNCTION app.site_changed_update() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1
   WHERE id IN (SELECT tenant_id FROM new_rows UNION SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;
CREATE FUNCTION app.site_changed_delete() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE FUNCTION app.guru_versioned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.content_version = OLD.content_version THEN
    NEW.content_version := OLD.content_version + 1;
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guru_versioned BEFORE UPDATE ON gurus FOR EACH ROW EXECUTE FUNCTION app.guru_versioned();

CREATE FUNCTION app.guru_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label);
  ELSIF TG_OP = 'UPDATE' AND NEW.label = OLD.label THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label);
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label || ' ' || OLD.label);
  ELSE
    PERFORM pg_notify('porchlight_tenants', OLD.id || ' ' || OLD.label);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER guru_told AFTER INSERT OR UPDATE OR DELETE ON gurus FOR EACH ROW EXECUTE FUNCTION app.guru_told();

CREATE FUNCTION app.name_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM pg_notify('porchlight_tenants', r.tenant_id || ' ' || (to_jsonb(r) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;
CREATE TRIGGER domain_told AFTER INSERT OR UPDATE OR DELETE ON domains
  FOR EACH ROW EXECUTE FUNCTION app.name_told('domain');
CREATE TRIGGER retired_label_told AFTER INSERT OR UPDATE OR DELETE ON retired_labels
  FOR EACH ROW EXECUTE FUNCTION app.name_told('label');
"""

# Before a tenant is known, a request may ask one thing: whose name is this?
LOOKUP = f"""
CREATE FUNCTION app.find_label(wanted text) RETURNS TABLE (id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM gurus g WHERE g.label = wanted
  UNION ALL
  SELECT g.id, g.label, g.status FROM retired_labels r JOIN gurus g ON g.id = r.tenant_id WHERE r.label = wanted
  LIMIT 1
$$;
CREATE FUNCTION app.find_domain(wanted text) RETURNS TABLE (id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM domains d JOIN gurus g ON g.id = d.tenant_id
   WHERE d.domain = wanted AND d.verified_at IS NOT NULL
$$;
CREATE FUNCTION app.schema_version() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT max(version_num) FROM alembic_version
$$;
REVOKE ALL ON FUNCTION app.find_label(text), app.find_domain(text), app.schema_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_label(text), app.find_domain(text), app.schema_version() TO {APP}, {OVERSEER};
"""

# Requests put jobs in and see nothing of the queue. The tenant comes from the transaction, not from the caller.
# Workers look once a second instead of being notified: NOTIFY makes commits wait for one another.
JOBS = f"""
DROP TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 ON jobs.procrastinate_jobs;
CREATE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
  INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args)
  VALUES ('default', task, 0, NULL, queueing_lock, args || jsonb_build_object('tenant_id', app.tid()))
  ON CONFLICT DO NOTHING RETURNING id
$$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text) TO {APP}, {OVERSEER};
GRANT USAGE ON SCHEMA jobs TO {OVERSEER};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO {OVERSEER};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA jobs TO {OVERSEER};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO {OVERSEER};
GRANT SELECT, INSERT ON daily_salts TO {APP};
GRANT SELECT, INSERT, DELETE ON daily_salts TO {OVERSEER};
GRANT SELECT, INSERT, DELETE ON mailbox TO {OVERSEER};
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(FOUNDATIONS)
    run(TABLES)
    run(SITE_CHANGED)
    run(fence("gurus", key="id", directory=True))
    run(fence("domains", directory=True))
    run(fence("retired_labels", directory=True))
    for table in ("posts", "post_views", "services", "leads", "daily_visits", "view_marks"):
        run(fence(table))
    for table in ("posts", "post_views", "services"):
        run(shows_on_site(table))
    run(LOOKUP)
    run("CREATE SCHEMA jobs; SET LOCAL search_path = jobs")
    run(SchemaManager.get_schema().replace("%", "%%"))  # psycopg reads % as a placeholder
    run("SET LOCAL search_path = public")
    run(JOBS)


def downgrade() -> None:
    raise RuntimeError("The first migration has nothing before it: drop the database instead.")
