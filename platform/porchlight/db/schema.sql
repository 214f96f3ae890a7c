-- The tables of the database by feature, with their indexes, policies and grants. `make schema` writes this file
-- from the migrations; the comments are written by hand and stay. A change of a table is a migration first.
-- Functions and triggers are in the folder sql/ of their feature, the tables of the job queue in jobs.sql.

-- The superuser installs the other extensions when it creates the database (tenants/db/roles.py).
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
CREATE SCHEMA app;
GRANT USAGE ON SCHEMA app TO porchlight_app, porchlight_overseer;

-- == auth =============================================================================================================

-- Accounts. A deleted account keeps its row without personal data. `suspended_site` means that the site was taken
-- offline together with the account and comes back with it.
CREATE TABLE users (
    user_id uuid NOT NULL,
    firebase_uid text NOT NULL,
    email text NOT NULL DEFAULT '',
    email_verified boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'active',
    signed_out_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    email_change_asked_at timestamptz,
    ended_sign_ins timestamptz[] NOT NULL DEFAULT '{}',
    suspended_at timestamptz,
    suspended_reason text NOT NULL DEFAULT '',
    suspended_site boolean NOT NULL DEFAULT false,
    listed_plan text NOT NULL DEFAULT 'community',
    plan_check_at timestamptz,
    CONSTRAINT pk_users PRIMARY KEY (user_id),
    CONSTRAINT uq_users_firebase_uid UNIQUE (firebase_uid),
    CONSTRAINT ck_users_erased CHECK (status <> 'erased' OR email = ''),
    CONSTRAINT ck_users_status CHECK (status IN ('active', 'suspended', 'erased'))
);
CREATE INDEX ix_users_email_change_asked_at ON users (email_change_asked_at) WHERE email_change_asked_at IS NOT NULL;
CREATE INDEX ix_users_email_start ON users (lower(left(email, 2)));
CREATE INDEX ix_users_email_trgm ON users USING gin (email gin_trgm_ops);
CREATE INDEX ix_users_plan_check_at ON users (plan_check_at) WHERE plan_check_at IS NOT NULL;
CREATE INDEX ix_users_suspended ON users (user_id) WHERE status = 'suspended';
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON users TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON users FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON users TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON users TO porchlight_app, porchlight_overseer;

-- Codes with which people sign in, without an account yet. Their digits are not here: only what recognizes them.
-- address_hash and network_hash: keyed hashes of the sender, for limits only.
CREATE TABLE sign_in_codes (
    id uuid NOT NULL,
    email text NOT NULL,
    code_hash bytea NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    address_hash bytea NOT NULL,
    network_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    used_at timestamptz,
    CONSTRAINT pk_sign_in_codes PRIMARY KEY (id)
);
CREATE INDEX ix_sign_in_codes_created_at ON sign_in_codes (created_at);
CREATE INDEX ix_sign_in_codes_email ON sign_in_codes (email);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_codes TO porchlight_overseer;

-- Whom a person blocked. It works both ways.
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
ALTER TABLE blocks ENABLE ROW LEVEL SECURITY;
ALTER TABLE blocks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON blocks TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON blocks FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON blocks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON blocks TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON blocks TO porchlight_overseer;

-- Signed-in browsers. The cookie holds the secret; the table holds only its hash.
CREATE TABLE sessions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    authenticated_at timestamptz NOT NULL,
    token_issued_at timestamptz NOT NULL,
    user_agent text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    expires_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_sessions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_sessions_secret_hash UNIQUE (secret_hash),
    CONSTRAINT fk_sessions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sessions TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON sessions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON sessions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO porchlight_app, porchlight_overseer;

-- Sessions on custom domains. A row starts as a one-time login handoff (pass_hash) and becomes a session (secret_hash)
-- by its single use. It ends with the session it came from.
CREATE TABLE domain_sessions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    domain text NOT NULL,
    pass_hash bytea,
    browser_hash bytea NOT NULL,
    secret_hash bytea,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_domain_sessions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_domain_sessions_pass_hash UNIQUE (pass_hash),
    CONSTRAINT uq_domain_sessions_secret_hash UNIQUE (secret_hash),
    CONSTRAINT fk_domain_sessions_user_id_session_id FOREIGN KEY (user_id, session_id)
        REFERENCES sessions (user_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_domain_sessions_used CHECK ((pass_hash IS NULL) <> (secret_hash IS NULL))
);
CREATE INDEX ix_domain_sessions_user_id_session_id ON domain_sessions (user_id, session_id);
ALTER TABLE domain_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_sessions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON domain_sessions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON domain_sessions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_sessions TO porchlight_app, porchlight_overseer;

-- == tenancy ==========================================================================================================

-- A guru: the tenant. Its id is the tenant_id of everything it owns. `published` is the owner's choice; `status`
-- follows it by trigger, unless staff suspended the site. `content_version` grows whenever the site shows something
-- else.
CREATE TABLE gurus (
    id uuid NOT NULL,
    label text NOT NULL,
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    published boolean NOT NULL DEFAULT true,
    photo_url text NOT NULL DEFAULT '',
    suspended_at timestamptz,
    suspension_reason text NOT NULL DEFAULT '',
    main_domain text,
    typeface text NOT NULL DEFAULT 'warm',
    appearance text NOT NULL DEFAULT 'dusk',
    CONSTRAINT pk_gurus PRIMARY KEY (id),
    CONSTRAINT uq_gurus_label UNIQUE (label),
    CONSTRAINT ck_gurus_appearance CHECK (appearance IN ('day', 'dusk', 'device')),
    CONSTRAINT ck_gurus_label CHECK (label = lower(label) AND length(label) BETWEEN 1 AND 63),
    CONSTRAINT ck_gurus_status CHECK (status IN ('active', 'suspended', 'unpublished')),
    CONSTRAINT ck_gurus_typeface CHECK (typeface IN ('warm', 'clear', 'bookish'))
);
CREATE INDEX ix_gurus_status ON gurus (status, id);
CREATE INDEX ix_gurus_status_created_at ON gurus (status, created_at);
ALTER TABLE gurus ENABLE ROW LEVEL SECURITY;
ALTER TABLE gurus FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gurus TO porchlight_app USING (id = app.tenant_id()) WITH CHECK (id = app.tenant_id());
CREATE POLICY directory ON gurus FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON gurus TO porchlight_owner USING (id = app.tenant_id()) WITH CHECK (id = app.tenant_id());
CREATE POLICY overseer ON gurus TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON gurus TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON gurus TO porchlight_overseer;
-- Requests may change what a site says, but not its owner, its label or whether it is published.
GRANT UPDATE (character, category, primary_skills, tagline, city, about_markdown, about_html, primary_color,
    secondary_color, icon, emoji, seo_title, seo_description, contact_email, content_version, updated_at, photo_url,
    main_domain, typeface, appearance) ON gurus TO porchlight_app;

-- Custom domains of gurus. A domain serves the site, and gets a certificate, once verified_at is set: by its DNS records
-- or by the operator. Until then several gurus may claim it.
-- proof: who vouches for it, the domain's own DNS records or the operator. token is the value of the TXT record that
-- proves control. outcome and found describe the last check, failing_since the first of the failed ones. over_limit:
-- the owner's plan has no domain; it is not served until it has one again. leads_here: whether all visitors of the
-- domain reached us, when DNS last answered a check.
CREATE TABLE domains (
    tenant_id uuid NOT NULL,
    domain text NOT NULL,
    verified_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
    proof text NOT NULL DEFAULT 'dns',
    checked_at timestamptz,
    next_check_at timestamptz,
    outcome text NOT NULL DEFAULT '',
    found text NOT NULL DEFAULT '',
    failing_since timestamptz,
    certificate_until timestamptz,
    over_limit boolean NOT NULL DEFAULT false,
    leads_here boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_domains PRIMARY KEY (tenant_id, domain),
    CONSTRAINT fk_domains_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_domains_domain CHECK (domain = lower(domain)),
    CONSTRAINT ck_domains_proof CHECK (proof IN ('dns', 'operator'))
);
CREATE INDEX ix_domains_domain ON domains (domain);
CREATE INDEX ix_domains_next_check_at ON domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE UNIQUE INDEX uq_domains_verified ON domains (domain) WHERE verified_at IS NOT NULL;
ALTER TABLE domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domains TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON domains FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON domains TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON domains TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO porchlight_overseer;
GRANT INSERT (tenant_id, domain) ON domains TO porchlight_app;
GRANT INSERT (next_check_at), UPDATE (next_check_at) ON domains TO porchlight_app;
GRANT UPDATE (over_limit) ON domains TO porchlight_app;

-- Which user owns which guru.
CREATE TABLE memberships (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL DEFAULT 'owner',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_memberships PRIMARY KEY (tenant_id, user_id),
    CONSTRAINT uq_memberships_user_id UNIQUE (user_id),
    CONSTRAINT fk_memberships_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_memberships_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_memberships_role CHECK (role = 'owner')
);
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON memberships TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON memberships FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON memberships TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON memberships TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON memberships TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON memberships TO porchlight_overseer;

-- Subdomains that a guru had before a rename. They redirect, and no other guru can take them.
CREATE TABLE retired_labels (
    tenant_id uuid NOT NULL,
    label text NOT NULL,
    retired_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_retired_labels PRIMARY KEY (tenant_id, label),
    CONSTRAINT uq_retired_labels_label UNIQUE (label),
    CONSTRAINT fk_retired_labels_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE retired_labels ENABLE ROW LEVEL SECURITY;
ALTER TABLE retired_labels FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON retired_labels TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON retired_labels FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON retired_labels TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON retired_labels TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON retired_labels TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON retired_labels TO porchlight_overseer;

-- == services =========================================================================================================

-- What gurus sell.
CREATE TABLE services (
    tenant_id uuid NOT NULL,
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_services PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_services_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_services_currency CHECK (currency = upper(currency) AND length(currency) = 3),
    CONSTRAINT ck_services_duration CHECK (duration_minutes IS NULL OR duration_minutes BETWEEN 5 AND 1440),
    CONSTRAINT ck_services_duration_known CHECK (duration_minutes IS NOT NULL OR duration_label <> ''),
    CONSTRAINT ck_services_price CHECK (price_cents >= 0)
);
CREATE INDEX ix_services_tenant_id_position ON services (tenant_id, position);
ALTER TABLE services ENABLE ROW LEVEL SECURITY;
ALTER TABLE services FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON services TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON services FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON services TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON services TO porchlight_app, porchlight_overseer;

-- == embeddings =======================================================================================================

-- The distinct texts of skills and searches. `in_use` means that a listing or a wish has this name. `related_by` names
-- what computed its relations; NULL means that the embeddings job has not read it yet. Ids are integers, because these
-- rows are joined in the millions.
-- related_by: a model's name or "words-1". searched_on: the last day of a search for it, where it is not in use.
CREATE TABLE phrases (
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    words text NOT NULL,
    in_use boolean NOT NULL,
    related_by text,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    searched_on date NOT NULL DEFAULT app.now()::date,
    CONSTRAINT pk_phrases PRIMARY KEY (id),
    CONSTRAINT uq_phrases_words UNIQUE (words)
);
CREATE INDEX ix_phrases_searched_on ON phrases (searched_on) WHERE NOT in_use;
CREATE INDEX ix_phrases_unrelated ON phrases (id) WHERE related_by IS NULL;
CREATE INDEX ix_phrases_unspaced ON phrases USING gin (app.unspaced_grams(words))
    WHERE app.unspaced_grams(words) IS NOT NULL;
CREATE INDEX ix_phrases_words_english ON phrases USING gin (to_tsvector('english'::regconfig, words));
CREATE INDEX ix_phrases_words_trgm ON phrases USING gin (words gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE, DELETE ON phrases TO porchlight_overseer;
GRANT SELECT (id, related_by) ON phrases TO porchlight_app;

-- How likely a listing named `other_id` serves a user who asks for `phrase_id`; both directions are stored.
CREATE TABLE phrase_relations (
    phrase_id integer NOT NULL,
    other_id integer NOT NULL,
    probability real NOT NULL,
    CONSTRAINT pk_phrase_relations PRIMARY KEY (phrase_id, other_id),
    CONSTRAINT fk_phrase_relations_other_id FOREIGN KEY (other_id) REFERENCES phrases (id) ON DELETE CASCADE,
    CONSTRAINT fk_phrase_relations_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id) ON DELETE CASCADE,
    CONSTRAINT ck_phrase_relations_probability CHECK (probability > 0 AND probability < 1)
);
CREATE INDEX ix_phrase_relations_other_id ON phrase_relations (other_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON phrase_relations TO porchlight_overseer;

-- == angels ===========================================================================================================

-- The sums of the listed angels of a service in one city and one cell. Written by triggers on angel_listings.
CREATE TABLE angel_cells (
    service_id text NOT NULL,
    city text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    angels integer NOT NULL,
    rate_sum bigint NOT NULL,
    ratings integer NOT NULL,
    rating_sum integer NOT NULL,
    CONSTRAINT pk_angel_cells PRIMARY KEY (service_id, city, latitude, longitude)
);
GRANT SELECT ON angel_cells TO porchlight_app, porchlight_overseer;

-- The kinds of local help. `porchlight migrate` fills the table from services.toml.
CREATE TABLE angel_services (
    id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    avg_price_cents integer NOT NULL,
    providers integer NOT NULL,
    rating numeric(2,1) NOT NULL,
    city text NOT NULL,
    category text NOT NULL,
    position integer NOT NULL,
    keywords text[] NOT NULL DEFAULT '{}',
    CONSTRAINT pk_angel_services PRIMARY KEY (id),
    CONSTRAINT ck_angel_services_avg_price CHECK (avg_price_cents >= 0),
    CONSTRAINT ck_angel_services_providers CHECK (providers >= 0),
    CONSTRAINT ck_angel_services_rating CHECK (rating BETWEEN 0 AND 5)
);
CREATE INDEX ix_angel_services_position ON angel_services (position);
GRANT SELECT ON angel_services TO porchlight_app, porchlight_overseer;

-- Users who offer a service. Places are the centers of coarse grid cells; no exact place is stored.
CREATE TABLE angels (
    user_id uuid NOT NULL,
    service_id text NOT NULL,
    rate_cents integer NOT NULL,
    about text NOT NULL DEFAULT '',
    days smallint[] NOT NULL,
    radius_miles smallint NOT NULL,
    mails_a_day smallint NOT NULL DEFAULT 5,
    city text NOT NULL,
    region text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    active boolean NOT NULL DEFAULT true,
    jobs integer NOT NULL DEFAULT 0,
    ratings integer NOT NULL DEFAULT 0,
    rating_sum integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_angels PRIMARY KEY (user_id, service_id),
    CONSTRAINT fk_angels_service_id FOREIGN KEY (service_id) REFERENCES angel_services (id) ON DELETE CASCADE,
    CONSTRAINT fk_angels_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_angels_days CHECK (cardinality(days) BETWEEN 1 AND 7 AND days <@ '{1,2,3,4,5,6,7}'),
    CONSTRAINT ck_angels_mails CHECK (mails_a_day BETWEEN 0 AND 20),
    CONSTRAINT ck_angels_radius CHECK (radius_miles BETWEEN 1 AND 50),
    CONSTRAINT ck_angels_rate CHECK (rate_cents BETWEEN 100 AND 50000),
    CONSTRAINT ck_angels_ratings CHECK (ratings >= 0 AND rating_sum BETWEEN ratings AND (5 * ratings))
);
CREATE INDEX ix_angels_service_id_latitude ON angels (service_id, latitude) WHERE active;
ALTER TABLE angels ENABLE ROW LEVEL SECURITY;
ALTER TABLE angels FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON angels TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON angels FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON angels TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON angels TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, DELETE ON angels TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON angels TO porchlight_overseer;
GRANT INSERT (user_id, service_id, created_at) ON angels TO porchlight_app;
GRANT INSERT (rate_cents, about, days, radius_miles, mails_a_day, city, region, latitude, longitude, active,
    updated_at), UPDATE (rate_cents, about, days, radius_miles, mails_a_day, city, region, latitude, longitude, active,
    updated_at) ON angels TO porchlight_app;

-- The public list of each service: active angels with public profiles. Written by triggers.
-- angel_id is the user. rank is the score below zero, so that the best comes first; then place decides: '0' for Premium
-- Angels, else '1', and the handle.
CREATE TABLE angel_listings (
    service_id text NOT NULL,
    angel_id uuid NOT NULL,
    city text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    rank double precision NOT NULL,
    place text NOT NULL,
    rate_cents integer NOT NULL,
    ratings integer NOT NULL,
    rating_sum integer NOT NULL,
    CONSTRAINT pk_angel_listings PRIMARY KEY (service_id, angel_id),
    CONSTRAINT fk_angel_listings_angel_id_service_id FOREIGN KEY (angel_id, service_id)
        REFERENCES angels (user_id, service_id) ON DELETE CASCADE
);
CREATE INDEX ix_angel_listings_angel_id ON angel_listings (angel_id, service_id);
CREATE INDEX ix_angel_listings_cell ON angel_listings (service_id, latitude, longitude, rank, place);
CREATE INDEX ix_angel_listings_city ON angel_listings (service_id, lower(city), rank, place);
CREATE INDEX ix_angel_listings_rank ON angel_listings (service_id, rank, place);
GRANT SELECT ON angel_listings TO porchlight_overseer;
GRANT SELECT (service_id, angel_id) ON angel_listings TO porchlight_app;

-- == catalog ==========================================================================================================

-- The categories of the skill catalog. `porchlight migrate` fills the table from the catalog file.
CREATE TABLE skill_categories (
    slug text NOT NULL,
    name text NOT NULL,
    position integer NOT NULL,
    risk_level text NOT NULL,
    popular boolean NOT NULL,
    coming_soon boolean NOT NULL,
    requires_license boolean NOT NULL,
    requires_gl boolean NOT NULL,
    requires_auto_insurance boolean NOT NULL,
    notes text NOT NULL,
    CONSTRAINT pk_skill_categories PRIMARY KEY (slug),
    CONSTRAINT uq_skill_categories_name UNIQUE (name),
    CONSTRAINT ck_skill_categories_risk_level CHECK (risk_level IN ('low', 'medium', 'high', 'extreme'))
);
GRANT SELECT ON skill_categories TO porchlight_app, porchlight_overseer;

-- What a user can type to find a skill: its name, and its name from each further word on.
-- term is normalized (no accents, lower case) and compared byte by byte. term_length is in characters.
CREATE TABLE skill_search_terms (
    category_slug text NOT NULL,
    name text NOT NULL,
    term text COLLATE "C" NOT NULL,
    term_length integer NOT NULL,
    popular boolean NOT NULL,
    CONSTRAINT pk_skill_search_terms PRIMARY KEY (category_slug, name, term),
    CONSTRAINT fk_skill_search_terms_category_slug FOREIGN KEY (category_slug)
        REFERENCES skill_categories (slug) ON DELETE CASCADE
);
CREATE INDEX ix_skill_search_terms_term ON skill_search_terms (term);
CREATE INDEX ix_skill_search_terms_term_length ON skill_search_terms (term_length);
-- Rarely written and read at each key stroke: without fastupdate, no search reads a list of pending entries.
CREATE INDEX ix_skill_search_terms_term_trgm ON skill_search_terms USING gin (term gin_trgm_ops) WITH (fastupdate=off);
GRANT SELECT ON skill_search_terms TO porchlight_app, porchlight_overseer;

-- == hours ============================================================================================================

-- The hours of a guru. `rules_version` changes with everything that decides which times are offered, `version` also
-- with every booking.
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_calendars PRIMARY KEY (tenant_id),
    CONSTRAINT fk_calendars_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_calendars_day_max CHECK (day_max BETWEEN 1 AND 100),
    CONSTRAINT ck_calendars_horizon CHECK (horizon_days BETWEEN 1 AND 365),
    CONSTRAINT ck_calendars_notice CHECK (notice_minutes BETWEEN 0 AND 43200),
    CONSTRAINT ck_calendars_step CHECK (step_minutes IN (5, 10, 15, 20, 30, 60))
);
ALTER TABLE calendars ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendars FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON calendars TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY founding ON calendars TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON calendars TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendars TO porchlight_app, porchlight_overseer;

-- A guru's other calendars, with their encrypted addresses and passwords. Only the guru and jobs see them.
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

-- The hours of one date, instead of those of its weekday. An empty range means closed.
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

-- The hours of a normal week: ranges of wall time in minutes after midnight. Monday is 0.
CREATE TABLE weekly_hours (
    tenant_id uuid NOT NULL,
    weekday smallint NOT NULL,
    during int4range NOT NULL,
    CONSTRAINT pk_weekly_hours PRIMARY KEY (tenant_id, weekday, during),
    CONSTRAINT fk_weekly_hours_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT ck_weekly_hours_during CHECK (during <@ int4range(0, 1440) AND NOT isempty(during)),
    CONSTRAINT ck_weekly_hours_weekday CHECK (weekday BETWEEN 0 AND 6),
    CONSTRAINT ex_weekly_hours_during EXCLUDE USING gist (tenant_id WITH =, weekday WITH =, during WITH &&)
);
ALTER TABLE weekly_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE weekly_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON weekly_hours TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON weekly_hours TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON weekly_hours TO porchlight_app, porchlight_overseer;

-- Times that a guru is busy: sessions of a service, and blocks. They hold no personal data. `blocked` includes setup
-- and cleanup. A trigger keeps `taken`, the number of occupied seats, and ends a session without bookings.
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    waiting smallint NOT NULL DEFAULT 0,
    local_start timestamp without time zone,
    local_end timestamp without time zone,
    place text,
    place_text text,
    sequence integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_appointments PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_appointments_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_appointments_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id),
    CONSTRAINT ck_appointments_kind CHECK (kind IN ('session', 'block', 'exchange')),
    CONSTRAINT ck_appointments_place CHECK ((place IN ('guru', 'person', 'online', 'agreed')) AND (place IS NULL) =
        (place_text IS NULL)),
    CONSTRAINT ck_appointments_taken CHECK (taken BETWEEN 0 AND capacity),
    CONSTRAINT ck_appointments_times CHECK (ends_at > starts_at AND blocked @> tstzrange(starts_at, ends_at)),
    CONSTRAINT ex_appointments_blocked EXCLUDE USING gist (tenant_id WITH =, blocked WITH &&) WHERE (live)
);
CREATE INDEX ix_appointments_tenant_id_starts_at ON appointments (tenant_id, starts_at) WHERE live;
CREATE INDEX ix_appointments_tenant_id_waiting ON appointments (tenant_id) WHERE live AND (waiting > 0);
ALTER TABLE appointments ENABLE ROW LEVEL SECURITY;
ALTER TABLE appointments FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON appointments TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY founding ON appointments TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON appointments TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON appointments TO porchlight_app, porchlight_overseer;

-- How a service is booked. A service without a row, or with `open` false, is not offered.
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
    place text NOT NULL DEFAULT 'guru',
    place_text text NOT NULL DEFAULT '',
    waiver text NOT NULL DEFAULT 'risk',
    risk text NOT NULL DEFAULT '',
    policy text NOT NULL DEFAULT 'flexible',
    free_until_minutes integer NOT NULL DEFAULT 1440,
    late_percent smallint NOT NULL DEFAULT 0,
    missed_percent smallint NOT NULL DEFAULT 50,
    moves_max smallint NOT NULL DEFAULT 2,
    move_until_minutes integer NOT NULL DEFAULT 1440,
    bring text NOT NULL DEFAULT '',
    questions jsonb NOT NULL DEFAULT '[]',
    payment text NOT NULL DEFAULT 'in_person',
    deposit_percent smallint NOT NULL DEFAULT 20,
    CONSTRAINT pk_booking_settings PRIMARY KEY (tenant_id, service_id),
    CONSTRAINT fk_booking_settings_tenant_id FOREIGN KEY (tenant_id) REFERENCES calendars (tenant_id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_settings_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_settings_approval CHECK (approval IN ('instant', 'request')),
    CONSTRAINT ck_booking_settings_buffers CHECK (setup_minutes BETWEEN 0 AND 240 AND cleanup_minutes BETWEEN 0 AND
        240),
    CONSTRAINT ck_booking_settings_capacity CHECK (capacity BETWEEN 1 AND 100),
    CONSTRAINT ck_booking_settings_deposit_percent CHECK (deposit_percent BETWEEN 5 AND 95),
    CONSTRAINT ck_booking_settings_party CHECK (party_max BETWEEN 1 AND LEAST(10, capacity::integer)),
    CONSTRAINT ck_booking_settings_payment CHECK (payment IN ('in_person', 'full', 'deposit', 'hold')),
    CONSTRAINT ck_booking_settings_place CHECK (place IN ('guru', 'person', 'online', 'agreed')),
    CONSTRAINT ck_booking_settings_policy CHECK (policy IN ('flexible', 'moderate', 'strict', 'own')),
    CONSTRAINT ck_booking_settings_questions CHECK (jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions)
        <= 5 AND length(questions::text) <= 10000),
    CONSTRAINT ck_booking_settings_risk CHECK (risk IN ('', 'low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_booking_settings_starts CHECK (starts IN ('hours', 'fixed')),
    CONSTRAINT ck_booking_settings_terms CHECK (free_until_minutes BETWEEN 0 AND 43200 AND move_until_minutes BETWEEN 0
        AND 43200 AND late_percent BETWEEN 0 AND 100 AND missed_percent BETWEEN 0 AND 100 AND moves_max BETWEEN 0 AND
        10),
    CONSTRAINT ck_booking_settings_waiver CHECK (waiver IN ('risk', 'always', 'signed'))
);
ALTER TABLE booking_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON booking_settings TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON booking_settings FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_settings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_settings TO porchlight_app, porchlight_overseer;

-- The times at which a guru's other calendars keep them busy, without what happens then.
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

-- == bookings =========================================================================================================

-- The payment of a booking by card: rows of two parties. It has no foreign key, because it outlives the guru, and no words.
-- Bookings that are paid together have one `group_id`. `owner_id` owned the guru's site then. Amounts are in cents.
CREATE TABLE payments (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    booking_id uuid,
    person_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    group_id uuid NOT NULL,
    number smallint NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    fee_cents bigint NOT NULL,
    fee_bps smallint NOT NULL,
    fee_minimum_cents bigint NOT NULL,
    state text NOT NULL DEFAULT 'opening',
    refunded_cents bigint NOT NULL DEFAULT 0,
    fee_returned_cents bigint NOT NULL DEFAULT 0,
    checkout_id text NOT NULL DEFAULT '',
    checkout_url text NOT NULL DEFAULT '',
    intent_id text NOT NULL DEFAULT '',
    charge_id text NOT NULL DEFAULT '',
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    disputed boolean NOT NULL DEFAULT false,
    expires_at timestamptz NOT NULL,
    paid_at timestamptz,
    delivered_at timestamptz,
    transfer_state text NOT NULL DEFAULT '',
    transfer_id text NOT NULL DEFAULT '',
    transferred_cents bigint NOT NULL DEFAULT 0,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    disputed_cents bigint NOT NULL DEFAULT 0,
    disputed_fee_cents bigint NOT NULL DEFAULT 0,
    purpose text NOT NULL DEFAULT 'session',
    idempotency_key text,
    mode text NOT NULL DEFAULT 'full',
    customer_id text NOT NULL DEFAULT '',
    method_id text NOT NULL DEFAULT '',
    package jsonb,
    used_cents bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_payments PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_payments_tenant_id_booking_id_purpose_number UNIQUE (tenant_id, booking_id, purpose, number),
    CONSTRAINT ck_payments_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_payments_booking_id CHECK ((purpose IN ('package', 'package_session')) OR booking_id IS NOT NULL),
    CONSTRAINT ck_payments_disputed CHECK (disputed_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_payments_disputed_fee CHECK (disputed_fee_cents BETWEEN 0 AND LEAST(fee_cents, disputed_cents)),
    CONSTRAINT ck_payments_fee CHECK (fee_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_payments_fee_returned CHECK (fee_returned_cents BETWEEN 0 AND LEAST(fee_cents, refunded_cents)),
    CONSTRAINT ck_payments_mode CHECK (mode IN ('full', 'deposit', 'hold')),
    CONSTRAINT ck_payments_no_fee CHECK ((purpose <> ALL (ARRAY['tip', 'package'])) OR fee_cents = 0),
    CONSTRAINT ck_payments_package CHECK ((purpose = 'package') = (package IS NOT NULL)),
    CONSTRAINT ck_payments_paid CHECK ((state = 'paid') = (paid_at IS NOT NULL)),
    CONSTRAINT ck_payments_purpose CHECK (purpose IN ('session', 'tip', 'package', 'package_session')),
    CONSTRAINT ck_payments_refunded CHECK (refunded_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_payments_state CHECK ((state IN ('opening', 'open', 'paid', 'expired', 'failed', 'canceled')) OR mode
        = 'hold' AND (state IN ('kept', 'charging', 'unpaid', 'released'))),
    CONSTRAINT ck_payments_transfer_state CHECK (transfer_state IN ('', 'requested', 'done', 'netted', 'stuck')),
    CONSTRAINT ck_payments_transferred CHECK (transferred_cents BETWEEN 0 AND (amount_cents - fee_cents)),
    CONSTRAINT ck_payments_unpaid CHECK (state = 'paid' OR refunded_cents = 0 AND delivered_at IS NULL),
    CONSTRAINT ck_payments_used CHECK (used_cents = 0 OR purpose = 'package' AND used_cents BETWEEN 0 AND (amount_cents
        - refunded_cents))
);
CREATE INDEX ix_payments_booking_id ON payments (booking_id);
CREATE INDEX ix_payments_charge_id ON payments (charge_id) WHERE charge_id <> '';
CREATE INDEX ix_payments_checkout_id ON payments (checkout_id) WHERE checkout_id <> '';
CREATE INDEX ix_payments_disputed ON payments (id) WHERE disputed;
CREATE INDEX ix_payments_group_id ON payments (group_id);
CREATE INDEX ix_payments_id ON payments (id);
CREATE INDEX ix_payments_intent_id ON payments (intent_id) WHERE intent_id <> '';
CREATE INDEX ix_payments_kept ON payments (group_id) WHERE method_id <> '';
CREATE INDEX ix_payments_netted ON payments (owner_id)
    WHERE (delivered_at IS NOT NULL) AND (NOT disputed) AND (transfer_state IN ('done', 'netted')) AND
    (transferred_cents < ((((amount_cents - fee_cents) - (refunded_cents - fee_returned_cents)) - (disputed_cents -
    disputed_fee_cents)) - used_cents));
CREATE INDEX ix_payments_on_way ON payments (id) WHERE transfer_state = 'requested';
CREATE INDEX ix_payments_open_packages ON payments (id)
    WHERE (purpose = 'package') AND (state = 'paid') AND (delivered_at IS NULL);
CREATE INDEX ix_payments_owner_id ON payments (owner_id, created_at);
CREATE INDEX ix_payments_paid_at ON payments (paid_at) INCLUDE (fee_cents) WHERE paid_at IS NOT NULL;
CREATE INDEX ix_payments_pending ON payments (id) WHERE state IN ('opening', 'open', 'charging');
CREATE INDEX ix_payments_person_id ON payments (person_id, created_at);
CREATE INDEX ix_payments_returned ON payments (id) WHERE refunded_cents > 0;
CREATE INDEX ix_payments_stuck ON payments (id) WHERE transfer_state = 'stuck';
CREATE INDEX ix_payments_transfer_id ON payments (transfer_id) WHERE transfer_id <> '';
CREATE INDEX ix_payments_undelivered ON payments (id) WHERE (state = 'paid') AND (delivered_at IS NULL);
CREATE INDEX ix_payments_untransferred ON payments (delivered_at)
    WHERE (delivered_at IS NOT NULL) AND (transfer_state = '');
CREATE UNIQUE INDEX uq_payments_tenant_id_booking_id_open ON payments (tenant_id, booking_id)
    WHERE (purpose = 'session') AND (state IN ('opening', 'open'));
CREATE UNIQUE INDEX uq_payments_tenant_id_person_id_idempotency_key ON payments (tenant_id, person_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
ALTER TABLE payments ENABLE ROW LEVEL SECURITY;
ALTER TABLE payments FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON payments TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON payments FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON payments TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON payments TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON payments TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payments TO porchlight_overseer;

-- What banks dispute of payments, with the guru's answer, which is erased with the site or the person. Amounts are in cents.
CREATE TABLE session_disputes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    dp_id text NOT NULL,
    amount_cents bigint NOT NULL,
    bank_fee_cents bigint NOT NULL DEFAULT 0,
    reason text NOT NULL,
    state text NOT NULL,
    due_by timestamptz,
    opened_at timestamptz NOT NULL,
    parts jsonb NOT NULL DEFAULT '[]',
    withdrawn boolean NOT NULL DEFAULT false,
    returned boolean NOT NULL DEFAULT false,
    words text NOT NULL DEFAULT '',
    customer_words text NOT NULL DEFAULT '',
    answer_state text NOT NULL DEFAULT '',
    answered_at timestamptz,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_session_disputes PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_session_disputes_dp_id UNIQUE (dp_id),
    CONSTRAINT ck_session_disputes_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_session_disputes_answer_state CHECK (answer_state IN ('', 'requested', 'sent', 'failed')),
    CONSTRAINT ck_session_disputes_bank_fee CHECK (bank_fee_cents >= 0),
    CONSTRAINT ck_session_disputes_returned CHECK (withdrawn OR NOT returned),
    CONSTRAINT ck_session_disputes_state CHECK (state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed')),
    CONSTRAINT ck_session_disputes_words CHECK (length(words) <= 2000 AND length(customer_words) <= 2000)
);
CREATE INDEX ix_session_disputes_group_id ON session_disputes (group_id);
CREATE INDEX ix_session_disputes_id ON session_disputes (id);
ALTER TABLE session_disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_disputes TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
CREATE POLICY directory ON session_disputes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON session_disputes TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON session_disputes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON session_disputes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON session_disputes TO porchlight_overseer;

-- The secret links with which calendars show the sessions of a person or of their site. Secrets are hashed.
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

-- The company that a person's next invoice is made out to.
CREATE TABLE company_details (
    user_id uuid NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    tax_id text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_company_details PRIMARY KEY (user_id),
    CONSTRAINT fk_company_details_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_company_details_lengths CHECK (length(name) <= 200 AND length(address) <= 500 AND length(tax_id) <=
        40)
);
ALTER TABLE company_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_details FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON company_details TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON company_details TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON company_details TO porchlight_app, porchlight_overseer;

-- Local days for which the list of sessions of a guru was queued.
CREATE TABLE booking_agendas (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- What invoices say about a guru: legal name, address and tax id.
CREATE TABLE invoice_details (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    tax_id text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_invoice_details PRIMARY KEY (tenant_id),
    CONSTRAINT fk_invoice_details_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_invoice_details_lengths CHECK (length(name) <= 200 AND length(address) <= 500 AND length(tax_id) <=
        40)
);
ALTER TABLE invoice_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_details FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invoice_details TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
CREATE POLICY lookup ON invoice_details FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON invoice_details TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON invoice_details TO porchlight_app, porchlight_overseer;

-- Issued invoices, corrections and credit notes, which never change. `corrects` is the one that a later one replaces.
CREATE TABLE invoices (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    person_id uuid NOT NULL,
    year smallint NOT NULL,
    number integer NOT NULL,
    kind text NOT NULL,
    corrects_id uuid,
    issued_on date NOT NULL,
    paid_on date NOT NULL,
    session_on date,
    seller_name text NOT NULL,
    seller_address text NOT NULL,
    seller_tax_id text NOT NULL,
    buyer_name text NOT NULL,
    buyer_address text NOT NULL,
    buyer_tax_id text NOT NULL,
    service_name text NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_invoices PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_invoices_tenant_id_year_number UNIQUE (tenant_id, year, number),
    CONSTRAINT fk_invoices_tenant_id_corrects_id FOREIGN KEY (tenant_id, corrects_id)
        REFERENCES invoices (tenant_id, id),
    CONSTRAINT fk_invoices_tenant_id_payment_id FOREIGN KEY (tenant_id, payment_id) REFERENCES payments (tenant_id, id),
    CONSTRAINT ck_invoices_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_invoices_corrects CHECK ((kind = 'invoice') = (corrects_id IS NULL)),
    CONSTRAINT ck_invoices_kind CHECK (kind IN ('invoice', 'correction', 'credit_note')),
    CONSTRAINT ck_invoices_lengths CHECK (length(buyer_name) <= 200 AND length(buyer_address) <= 500 AND
        length(buyer_tax_id) <= 40),
    CONSTRAINT ck_invoices_number CHECK (number > 0)
);
CREATE INDEX ix_invoices_person_id ON invoices (person_id);
CREATE INDEX ix_invoices_tenant_id_payment_id ON invoices (tenant_id, payment_id);
ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoices FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON invoices TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON invoices TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON invoices TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON invoices TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON invoices TO porchlight_overseer;

-- Money that goes back to the person's card, reserved in its payment while it has not failed. `fee_cents` of the amount is
-- the platform's part.
CREATE TABLE refunds (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    payment_id uuid NOT NULL,
    person_id uuid NOT NULL,
    amount_cents bigint NOT NULL,
    fee_cents bigint NOT NULL,
    reason text NOT NULL,
    actor text NOT NULL,
    after_delivery boolean NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    refund_id text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    again_of uuid,
    idempotency_key text NOT NULL DEFAULT '',
    digest bytea,
    CONSTRAINT pk_refunds PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_refunds_tenant_id_payment_id FOREIGN KEY (tenant_id, payment_id) REFERENCES payments (tenant_id, id),
    CONSTRAINT ck_refunds_actor CHECK (actor IN ('person', 'guru', 'staff', 'system')),
    CONSTRAINT ck_refunds_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_refunds_fee CHECK (fee_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_refunds_state CHECK (state IN ('requested', 'done', 'failed'))
);
CREATE INDEX ix_refunds_again_of ON refunds (again_of) WHERE again_of IS NOT NULL;
CREATE INDEX ix_refunds_created_at ON refunds (created_at) INCLUDE (amount_cents, fee_cents, state);
CREATE INDEX ix_refunds_failed ON refunds (payment_id) WHERE state = 'failed';
CREATE INDEX ix_refunds_id ON refunds (id);
CREATE INDEX ix_refunds_of_fee ON refunds (tenant_id, payment_id) WHERE fee_cents = amount_cents;
CREATE INDEX ix_refunds_person_id ON refunds (person_id);
CREATE INDEX ix_refunds_refund_id ON refunds (refund_id) WHERE refund_id <> '';
CREATE INDEX ix_refunds_requested ON refunds (id) WHERE state = 'requested';
CREATE INDEX ix_refunds_tenant_id_payment_id ON refunds (tenant_id, payment_id);
CREATE UNIQUE INDEX uq_refunds_tenant_id_idempotency_key ON refunds (tenant_id, idempotency_key)
    WHERE idempotency_key <> '';
ALTER TABLE refunds ENABLE ROW LEVEL SECURITY;
ALTER TABLE refunds FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON refunds TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON refunds FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON refunds TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON refunds TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON refunds TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON refunds TO porchlight_overseer;

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
    price_cents integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_packages PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_packages_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_packages_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_packages_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_packages_days CHECK (days BETWEEN 1 AND 1096),
    CONSTRAINT ck_packages_price CHECK (price_cents = 0 OR price_cents BETWEEN 500 AND 99999999),
    CONSTRAINT ck_packages_sessions CHECK (sessions BETWEEN 2 AND 52)
);
CREATE INDEX ix_packages_tenant_id_service_id ON packages (tenant_id, service_id);
ALTER TABLE packages ENABLE ROW LEVEL SECURITY;
ALTER TABLE packages FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON packages TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON packages FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON packages TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON packages TO porchlight_app, porchlight_overseer;

-- People who wait for a seat in a full session, in the order of `number`.
CREATE TABLE waitlist (
    tenant_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid NOT NULL,
    party smallint NOT NULL DEFAULT 1,
    status text NOT NULL DEFAULT 'waiting',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    guru_label text NOT NULL,
    guru_name text NOT NULL,
    service_id uuid NOT NULL,
    service_name text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    zone text NOT NULL,
    CONSTRAINT pk_waitlist PRIMARY KEY (tenant_id, appointment_id, number),
    CONSTRAINT fk_waitlist_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_waitlist_tenant_id_appointment_id FOREIGN KEY (tenant_id, appointment_id)
        REFERENCES appointments (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_waitlist_party CHECK (party BETWEEN 1 AND 10),
    CONSTRAINT ck_waitlist_status CHECK (status IN ('waiting', 'offered', 'taken', 'lapsed', 'left'))
);
CREATE INDEX ix_waitlist_person_id ON waitlist (person_id);
CREATE UNIQUE INDEX uq_waitlist_active_person ON waitlist (tenant_id, appointment_id, person_id)
    WHERE status IN ('waiting', 'offered');
ALTER TABLE waitlist ENABLE ROW LEVEL SECURITY;
ALTER TABLE waitlist FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON waitlist TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON waitlist FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON waitlist TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON waitlist TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON waitlist TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waitlist TO porchlight_overseer;

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
    payment_id uuid,
    settled smallint NOT NULL DEFAULT 0,
    end_told_at timestamptz,
    CONSTRAINT pk_package_grants PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_package_grants_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT uq_package_grants_tenant_id_payment_id UNIQUE (tenant_id, payment_id),
    CONSTRAINT fk_package_grants_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_package_grants_tenant_id_package_id FOREIGN KEY (tenant_id, package_id)
        REFERENCES packages (tenant_id, id) ON DELETE SET NULL (package_id),
    CONSTRAINT ck_package_grants_granted CHECK (granted BETWEEN 2 AND 52),
    CONSTRAINT ck_package_grants_left_over CHECK (left_over BETWEEN 0 AND (granted - taken_back)),
    CONSTRAINT ck_package_grants_settled CHECK (settled BETWEEN 0 AND granted),
    CONSTRAINT ck_package_grants_taken_back CHECK (taken_back BETWEEN 0 AND granted)
);
CREATE INDEX ix_package_grants_ending ON package_grants (tenant_id, expires_at)
    WHERE (left_over > 0) AND (end_told_at IS NULL);
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

-- Bookings of people with gurus: rows of two parties. Price, length, place and terms are copies. `hold_hash` is the
-- digest of the token of a hold; a hold without a person was made by a visitor.
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    proposed_until timestamptz,
    proposed_reason text NOT NULL DEFAULT '',
    proposals smallint NOT NULL DEFAULT 0,
    person_address text NOT NULL DEFAULT '',
    late_since timestamptz,
    left_appointment_id uuid,
    person_zone text NOT NULL DEFAULT '',
    customer_email text NOT NULL DEFAULT '',
    customer_token uuid,
    bring text NOT NULL DEFAULT '',
    checked_in_at timestamptz,
    checked_in_by text NOT NULL DEFAULT '',
    claimed_token uuid,
    package_grant_id uuid,
    package_sessions smallint NOT NULL DEFAULT 0,
    package_name text NOT NULL DEFAULT '',
    questions jsonb NOT NULL DEFAULT '[]',
    answers jsonb NOT NULL DEFAULT '[]',
    client_id uuid,
    CONSTRAINT pk_bookings PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_bookings_tenant_id_hold_hash UNIQUE (tenant_id, hold_hash),
    CONSTRAINT uq_bookings_tenant_id_person_id_idempotency_key UNIQUE (tenant_id, person_id, idempotency_key),
    CONSTRAINT fk_bookings_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_bookings_tenant_id_appointment_id FOREIGN KEY (tenant_id, appointment_id)
        REFERENCES appointments (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_bookings_tenant_id_package_grant_id FOREIGN KEY (tenant_id, package_grant_id)
        REFERENCES package_grants (tenant_id, id),
    CONSTRAINT ck_bookings_answers CHECK (jsonb_typeof(answers) = 'array' AND jsonb_array_length(answers) <= 5 AND
        length(answers::text) <= 8000),
    CONSTRAINT ck_bookings_check_in CHECK ((checked_in_at IS NULL) = (checked_in_by = '') AND (checked_in_at IS NULL OR
        (status IN ('confirmed', 'completed')))),
    CONSTRAINT ck_bookings_expires CHECK ((status IN ('held', 'requested')) = (expires_at IS NOT NULL)),
    CONSTRAINT ck_bookings_owed CHECK (owed_cents BETWEEN 0 AND price_cents),
    CONSTRAINT ck_bookings_package_sessions CHECK (package_sessions = 0 OR package_sessions = party AND
        package_grant_id IS NOT NULL),
    CONSTRAINT ck_bookings_party CHECK (party BETWEEN 1 AND 10),
    CONSTRAINT ck_bookings_person CHECK ((status IN ('held', 'expired')) OR person_id IS NOT NULL),
    CONSTRAINT ck_bookings_proposal CHECK ((proposed_start IS NULL) = (proposed_until IS NULL) AND (proposed_start IS
        NULL OR (status IN ('requested', 'confirmed')))),
    CONSTRAINT ck_bookings_questions CHECK (jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions) <= 5
        AND length(questions::text) <= 10000),
    CONSTRAINT ck_bookings_status CHECK (status IN ('held', 'requested', 'confirmed', 'declined', 'canceled',
        'expired', 'missed', 'completed')),
    CONSTRAINT ck_bookings_times CHECK (ends_at > starts_at)
);
CREATE INDEX ix_bookings_expires_at ON bookings (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_bookings_id ON bookings (id);
CREATE INDEX ix_bookings_names_trgm ON bookings USING gin (service_name gin_trgm_ops, guru_name gin_trgm_ops)
    WHERE status <> ALL (ARRAY['held', 'expired']);
CREATE INDEX ix_bookings_open ON bookings (tenant_id, starts_at, id) WHERE status IN ('requested', 'confirmed');
CREATE INDEX ix_bookings_person_id_starts_at ON bookings (person_id, starts_at) WHERE person_id IS NOT NULL;
CREATE INDEX ix_bookings_proposed_until ON bookings (proposed_until) WHERE proposed_until IS NOT NULL;
CREATE INDEX ix_bookings_starts_at ON bookings (starts_at) WHERE status = 'confirmed';
CREATE INDEX ix_bookings_starts_at_id ON bookings (starts_at, id) WHERE status <> ALL (ARRAY['held', 'expired']);
CREATE INDEX ix_bookings_tenant_id_address_hash ON bookings (tenant_id, address_hash, created_at)
    WHERE address_hash IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_appointment_id ON bookings (tenant_id, appointment_id);
CREATE INDEX ix_bookings_tenant_id_claimed_token ON bookings (tenant_id, claimed_token) WHERE claimed_token IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_client_id ON bookings (tenant_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_customer_token ON bookings (tenant_id, customer_token)
    WHERE customer_token IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_package_grant_id ON bookings (tenant_id, package_grant_id)
    WHERE package_grant_id IS NOT NULL;
CREATE INDEX ix_bookings_tenant_id_starts_at ON bookings (tenant_id, starts_at);
CREATE UNIQUE INDEX uq_bookings_active_person ON bookings (tenant_id, appointment_id, person_id)
    WHERE status IN ('held', 'requested', 'confirmed');
ALTER TABLE bookings ENABLE ROW LEVEL SECURITY;
ALTER TABLE bookings FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON bookings TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON bookings TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY own ON bookings FOR SELECT TO porchlight_owner USING (person_id = app.user_id());
CREATE POLICY parties ON bookings TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON bookings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON bookings TO porchlight_overseer;
GRANT UPDATE (person_zone) ON bookings TO porchlight_app;

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
    CONSTRAINT ck_package_events_event CHECK (event IN ('granted', 'bought', 'extended', 'taken_back', 'ending'))
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

-- Emails about bookings. The key makes each unique, so that it is sent once.
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    collected boolean NOT NULL DEFAULT false,
    sent_at timestamptz,
    CONSTRAINT pk_booking_emails PRIMARY KEY (tenant_id, booking_id, kind, side, sequence),
    CONSTRAINT fk_booking_emails_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_booking_emails_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_booking_emails_kind CHECK (kind IN ('requested', 'booked', 'accepted', 'declined', 'expired',
        'withdrawn', 'canceled', 'moved', 'clocks_changed', 'place_changed', 'address_changed', 'proposed',
        'proposal_withdrawn', 'proposal_expired', 'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free',
        'person_said_no', 'guru_said_no', 'claimed', 'charged', 'charge_failed', 'day_before', 'soon', 'waiver_week',
        'waiver_days', 'review_open', 'review_last', 'review_waiting', 'review_out')),
    CONSTRAINT ck_booking_emails_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_booking_emails_status CHECK (status IN ('due', 'sent', 'void', 'failed'))
);
CREATE INDEX ix_booking_emails_due_at ON booking_emails (due_at) WHERE status = 'due';
CREATE INDEX ix_booking_emails_failed ON booking_emails (due_at) WHERE status = 'failed';
CREATE INDEX ix_booking_emails_person_id ON booking_emails (person_id);
CREATE INDEX ix_booking_emails_tenant_id_side_created_at ON booking_emails (tenant_id, side, created_at);
ALTER TABLE booking_emails ENABLE ROW LEVEL SECURITY;
ALTER TABLE booking_emails FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON booking_emails TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_emails TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON booking_emails TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON booking_emails TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_emails TO porchlight_overseer;
GRANT UPDATE (status, attempts, due_at, collected, sent_at) ON booking_emails TO porchlight_app;

-- The history of a booking: append-only.
CREATE TABLE booking_events (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    number integer NOT NULL,
    person_id uuid,
    at timestamptz NOT NULL DEFAULT app.now(),
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
CREATE POLICY founding ON booking_events TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON booking_events TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON booking_events TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON booking_events TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON booking_events TO porchlight_overseer;

-- What a guru notes about the person of a booking. Only the guru sees it: not the person, nor staff who view the console.
CREATE TABLE client_notes (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    body text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_client_notes PRIMARY KEY (tenant_id, booking_id),
    CONSTRAINT fk_client_notes_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_client_notes_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_client_notes_body CHECK (length(body) BETWEEN 1 AND 2000)
);
ALTER TABLE client_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE client_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON client_notes TO porchlight_app USING (tenant_id = app.acting_tenant_id())
    WITH CHECK (tenant_id = app.acting_tenant_id());
CREATE POLICY founding ON client_notes TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON client_notes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON client_notes TO porchlight_app, porchlight_overseer;

-- Who takes part in a booking that needs a waiver, who signs for each, and the waiver that covers them: rows of two
-- parties. `token` is in the personal link of someone who signs without an account.
CREATE TABLE participants (
    tenant_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    number smallint NOT NULL,
    person_id uuid NOT NULL,
    name text NOT NULL,
    signer text NOT NULL,
    signer_id uuid NOT NULL,
    waiver_id uuid,
    waiver_until timestamptz,
    signed_by text NOT NULL DEFAULT '',
    email text NOT NULL DEFAULT '',
    token uuid,
    email_due timestamptz,
    emailed_at timestamptz,
    emails smallint NOT NULL DEFAULT 0,
    CONSTRAINT pk_participants PRIMARY KEY (tenant_id, booking_id, number),
    CONSTRAINT fk_participants_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_participants_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_participants_number CHECK (number BETWEEN 1 AND 10),
    CONSTRAINT ck_participants_signer CHECK (signer IN ('self', 'guardian', 'link'))
);
CREATE INDEX ix_participants_email_due ON participants (email_due) WHERE email_due IS NOT NULL;
CREATE INDEX ix_participants_person_id ON participants (person_id);
CREATE INDEX ix_participants_tenant_id_signer_id ON participants (tenant_id, signer_id);
CREATE INDEX ix_participants_tenant_id_token ON participants (tenant_id, token);
ALTER TABLE participants ENABLE ROW LEVEL SECURITY;
ALTER TABLE participants FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON participants TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON participants TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON participants TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON participants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON participants TO porchlight_overseer;
GRANT UPDATE (email, token, email_due, emailed_at, emails) ON participants TO porchlight_app;

-- == images ===========================================================================================================

-- Images of guru sites.
CREATE TABLE site_images (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    size integer NOT NULL,
    data bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    preview text NOT NULL DEFAULT '',
    CONSTRAINT pk_site_images PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_site_images_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_site_images_preview CHECK (preview ~ '^([0-9a-f]{36})?$')
);
ALTER TABLE site_images ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_images FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_images TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON site_images TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_images TO porchlight_app, porchlight_overseer;

-- == admin ============================================================================================================

-- Hashed network addresses from which staff signed in: wrong keys do not lock them.
CREATE TABLE admin_addresses (
    address_hash bytea NOT NULL,
    signed_in_at timestamptz NOT NULL,
    CONSTRAINT pk_admin_addresses PRIMARY KEY (address_hash)
);
CREATE INDEX ix_admin_addresses_signed_in_at ON admin_addresses (signed_in_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_addresses TO porchlight_overseer;

-- Wrong admin keys, which are limited by address.
CREATE TABLE admin_attempts (
    id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT app.now(),
    address_hash bytea NOT NULL DEFAULT '\x'::bytea,
    CONSTRAINT pk_admin_attempts PRIMARY KEY (id)
);
CREATE INDEX ix_admin_attempts_address_hash_at ON admin_attempts (address_hash, at);
CREATE INDEX ix_admin_attempts_at ON admin_attempts (at);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_attempts TO porchlight_overseer;

-- Keys of named staff, as hashes.
CREATE TABLE admin_keys (
    id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT pk_admin_keys PRIMARY KEY (id),
    CONSTRAINT uq_admin_keys_key_hash UNIQUE (key_hash)
);
CREATE UNIQUE INDEX ix_admin_keys_name ON admin_keys (lower(name)) WHERE revoked_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_keys TO porchlight_overseer;

-- Counters in 16 rows each, so that concurrent transactions seldom wait for each other.
CREATE TABLE counters (
    name text NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY (name, slot)
);
GRANT SELECT ON counters TO porchlight_overseer;

-- Counters per day, such as leads, for the admin overview.
CREATE TABLE daily_counters (
    name text NOT NULL,
    day date NOT NULL,
    slot smallint NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_daily_counters PRIMARY KEY (name, day, slot)
);
GRANT SELECT, DELETE ON daily_counters TO porchlight_overseer;

-- Sessions of staff.
-- key_name: the name of the key's holder, or of a shared key of the settings. key_id: NULL for a shared key.
CREATE TABLE admin_sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    key_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    last_seen_at timestamptz NOT NULL DEFAULT app.now(),
    expires_at timestamptz NOT NULL,
    key_id uuid,
    CONSTRAINT pk_admin_sessions PRIMARY KEY (id),
    CONSTRAINT uq_admin_sessions_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_admin_sessions_key_id FOREIGN KEY (key_id) REFERENCES admin_keys (id) ON DELETE CASCADE
);
CREATE INDEX ix_admin_sessions_key_id ON admin_sessions (key_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_sessions TO porchlight_overseer;

-- Staff who view the product as a guru, and since when they may also change something.
-- Read-only before write_enabled_at.
CREATE TABLE impersonations (
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    guru_id uuid NOT NULL,
    reason text NOT NULL,
    write_enabled_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT app.now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT pk_impersonations PRIMARY KEY (id),
    CONSTRAINT fk_impersonations_guru_id FOREIGN KEY (guru_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_impersonations_session_id FOREIGN KEY (session_id) REFERENCES admin_sessions (id) ON DELETE CASCADE
);
CREATE INDEX ix_impersonations_guru_id ON impersonations (guru_id);
CREATE INDEX ix_impersonations_session_id ON impersonations (session_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON impersonations TO porchlight_overseer;

-- == documents ========================================================================================================

-- Uploaded files of documents. The file store has the content under `key`.
CREATE TABLE document_files (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    size bigint NOT NULL DEFAULT 0,
    sha256 bytea,
    stored_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_document_files PRIMARY KEY (user_id, id),
    CONSTRAINT fk_document_files_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_document_files_kind CHECK (kind IN ('application/pdf', 'image/jpeg', 'image/png'))
);
CREATE INDEX ix_document_files_created_at ON document_files (created_at);
ALTER TABLE document_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_files TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON document_files TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON document_files TO porchlight_app, porchlight_overseer;

-- Licenses, insurance and other documents of gurus, and their review.
CREATE TABLE documents (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    category text NOT NULL DEFAULT '',
    provider text NOT NULL DEFAULT '',
    number text NOT NULL DEFAULT '',
    issued_on date,
    expires_on date,
    file_url text NOT NULL DEFAULT '',
    file_id uuid,
    status text NOT NULL DEFAULT 'pending',
    reason text NOT NULL DEFAULT '',
    reviewed_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_documents PRIMARY KEY (user_id, id),
    CONSTRAINT uq_documents_user_id_file_id UNIQUE (user_id, file_id),
    CONSTRAINT fk_documents_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_documents_user_id_file_id FOREIGN KEY (user_id, file_id) REFERENCES document_files (user_id, id),
    CONSTRAINT ck_documents_dates CHECK (issued_on <= expires_on),
    CONSTRAINT ck_documents_file CHECK (file_url = '' OR file_id IS NULL),
    CONSTRAINT ck_documents_file_url CHECK (file_url = '' OR file_url ~ '^https://'),
    CONSTRAINT ck_documents_status CHECK (status IN ('pending', 'approved', 'rejected', 'lapsed', 'incomplete')),
    CONSTRAINT ck_documents_type CHECK (type IN ('license', 'insurance', 'auto', 'cert', 'id')),
    CONSTRAINT ck_documents_viewable CHECK ((status IN ('rejected', 'lapsed', 'incomplete')) OR file_url <> '' OR
        file_id IS NOT NULL)
);
-- The daily job finds documents that expire, and staff see those that wait, oldest first.
CREATE INDEX ix_documents_approved ON documents (expires_on) WHERE status = 'approved';
CREATE INDEX ix_documents_pending ON documents (id) WHERE status = 'pending';
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON documents TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON documents FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY lapsed ON documents AS RESTRICTIVE FOR UPDATE TO porchlight_app USING (status = 'approved')
    WITH CHECK (status = 'lapsed');
CREATE POLICY overseer ON documents TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY submitted ON documents AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK ((status = 'pending') AND (reason = '') AND (reviewed_at IS NULL));
GRANT SELECT, INSERT, DELETE ON documents TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO porchlight_overseer;
GRANT UPDATE (status) ON documents TO porchlight_app;

-- The history of each document.
CREATE TABLE document_events (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    note text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_document_events PRIMARY KEY (user_id, document_id, id),
    CONSTRAINT fk_document_events_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_document_events_user_id_document_id FOREIGN KEY (user_id, document_id)
        REFERENCES documents (user_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_document_events_kind CHECK (kind IN ('submitted', 'opened', 'approved', 'rejected', 'reminded',
        'lapsed'))
);
ALTER TABLE document_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_events TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON document_events TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY undecided ON document_events AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK (kind IN ('submitted', 'opened', 'reminded', 'lapsed'));
GRANT SELECT, INSERT ON document_events TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON document_events TO porchlight_overseer;

-- Which reminders of an expiry were sent.
CREATE TABLE document_reminders (
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    days integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_document_reminders PRIMARY KEY (user_id, document_id, days),
    CONSTRAINT fk_document_reminders_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_document_reminders_user_id_document_id FOREIGN KEY (user_id, document_id)
        REFERENCES documents (user_id, id) ON DELETE CASCADE
);
ALTER TABLE document_reminders ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_reminders FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON document_reminders TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON document_reminders FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON document_reminders TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON document_reminders TO porchlight_app, porchlight_overseer;

-- == leads ============================================================================================================

-- Email addresses to which a site sends receipts and replies, and what their owners said about it.
CREATE TABLE lead_addresses (
    tenant_id uuid NOT NULL,
    email text NOT NULL,
    state text NOT NULL DEFAULT 'unconfirmed',
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_lead_addresses PRIMARY KEY (tenant_id, email),
    CONSTRAINT uq_lead_addresses_tenant_id_token UNIQUE (tenant_id, token),
    CONSTRAINT fk_lead_addresses_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_lead_addresses_email CHECK (email = lower(email)),
    CONSTRAINT ck_lead_addresses_state CHECK (state IN ('unconfirmed', 'confirmed', 'blocked'))
);
ALTER TABLE lead_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_addresses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_addresses TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON lead_addresses FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON lead_addresses TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_addresses TO porchlight_app, porchlight_overseer;

-- Messages of visitors to gurus.
CREATE TABLE leads (
    tenant_id uuid NOT NULL,
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    preferred_time text NOT NULL DEFAULT '',
    network_hash bytea,
    awaits_digest boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_leads PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_leads_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_leads_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_leads_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE SET NULL (service_id),
    CONSTRAINT ck_leads_status CHECK (status IN ('new', 'read', 'answered', 'archived'))
);
CREATE INDEX ix_leads_tenant_id_awaits_digest ON leads (tenant_id) WHERE awaits_digest;
CREATE INDEX ix_leads_tenant_id_created_at ON leads (tenant_id, created_at);
ALTER TABLE leads ENABLE ROW LEVEL SECURITY;
ALTER TABLE leads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON leads TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON leads FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON leads TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON leads TO porchlight_app, porchlight_overseer;

-- Notes of a guru on a lead.
CREATE TABLE lead_notes (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    lead_id uuid NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_lead_notes PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_lead_notes_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_lead_notes_tenant_id_lead_id FOREIGN KEY (tenant_id, lead_id)
        REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_lead_notes_tenant_id_lead_id ON lead_notes (tenant_id, lead_id);
ALTER TABLE lead_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_notes TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON lead_notes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_notes TO porchlight_app, porchlight_overseer;

-- Replies of a guru to a lead, sent as email.
CREATE TABLE lead_replies (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    lead_id uuid NOT NULL,
    body text NOT NULL,
    idempotency_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    sent_at timestamptz,
    CONSTRAINT pk_lead_replies PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_lead_replies_tenant_id_idempotency_key UNIQUE (tenant_id, idempotency_key),
    CONSTRAINT fk_lead_replies_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_lead_replies_tenant_id_lead_id FOREIGN KEY (tenant_id, lead_id)
        REFERENCES leads (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_lead_replies_tenant_id_created_at ON lead_replies (tenant_id, created_at);
CREATE INDEX ix_lead_replies_tenant_id_lead_id ON lead_replies (tenant_id, lead_id);
ALTER TABLE lead_replies ENABLE ROW LEVEL SECURITY;
ALTER TABLE lead_replies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON lead_replies TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON lead_replies TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON lead_replies TO porchlight_app, porchlight_overseer;

-- == listings =========================================================================================================

-- The grid cell of each user, from the location in the profile. -1 means unknown.
CREATE TABLE user_locations (
    user_id uuid NOT NULL,
    city text NOT NULL DEFAULT '',
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    is_area boolean NOT NULL DEFAULT false,
    availability_bits integer NOT NULL DEFAULT 0,
    ring_check_due boolean NOT NULL DEFAULT true,
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_user_locations PRIMARY KEY (user_id),
    CONSTRAINT fk_user_locations_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE user_locations ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_locations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_locations TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON user_locations FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON user_locations TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON user_locations TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_locations TO porchlight_app, porchlight_overseer;

-- Listings that staff hid, by owner and phrase, so that removing the skill and adding it again does not show it.
CREATE TABLE hidden_listings (
    owner_id uuid NOT NULL,
    phrase_id integer NOT NULL,
    reason text NOT NULL,
    hidden_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_hidden_listings PRIMARY KEY (owner_id, phrase_id),
    CONSTRAINT fk_hidden_listings_owner_id FOREIGN KEY (owner_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT fk_hidden_listings_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id)
);
CREATE INDEX ix_hidden_listings_hidden_at ON hidden_listings (hidden_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON hidden_listings TO porchlight_overseer;

-- Listings: the skills that users offer, one per phrase of the profile. `days` is a bit mask of weekdays.
CREATE TABLE skill_offers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    phrase_id integer NOT NULL,
    title text NOT NULL,
    level text,
    details text NOT NULL DEFAULT '',
    formats text[] NOT NULL DEFAULT '{in_person,online}',
    terms text[] NOT NULL DEFAULT '{swap}',
    price_cents integer,
    currency text NOT NULL DEFAULT 'USD',
    radius_km smallint NOT NULL DEFAULT 25,
    days smallint NOT NULL DEFAULT 127,
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    visible boolean NOT NULL DEFAULT false,
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_skill_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_offers_id UNIQUE (id),
    CONSTRAINT uq_skill_offers_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT fk_skill_offers_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT fk_skill_offers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_skill_offers_days CHECK (days BETWEEN 1 AND 127),
    CONSTRAINT ck_skill_offers_formats CHECK (formats <@ '{in_person,online}' AND cardinality(formats) > 0),
    CONSTRAINT ck_skill_offers_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert')),
    CONSTRAINT ck_skill_offers_price CHECK (price_cents > 0 AND price_cents <= 100000000),
    CONSTRAINT ck_skill_offers_priced CHECK (('price' = ANY (terms)) = (price_cents IS NOT NULL)),
    CONSTRAINT ck_skill_offers_radius CHECK (radius_km BETWEEN 1 AND 200),
    CONSTRAINT ck_skill_offers_terms CHECK (terms <@ '{price,swap,hours,free}' AND cardinality(terms) > 0)
);
CREATE INDEX ix_skill_offers_created_at ON skill_offers (created_at, id);
-- By cell within a tile, so that near listings come first; online ones by tile alone.
CREATE INDEX ix_skill_offers_near ON skill_offers (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
CREATE INDEX ix_skill_offers_online ON skill_offers (phrase_id, tile, user_id, cell_lat, cell_lon)
    WHERE visible AND ('online' = ANY (formats));
CREATE INDEX ix_skill_offers_title_start ON skill_offers (lower(left(title, 2)), created_at, id) INCLUDE (title);
CREATE INDEX ix_skill_offers_title_trgm ON skill_offers USING gin (title gin_trgm_ops);
ALTER TABLE skill_offers ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill_offers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_offers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON skill_offers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON skill_offers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON skill_offers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON skill_offers TO porchlight_app, porchlight_overseer;

-- The skills that users want to learn, one per phrase of the profile.
CREATE TABLE skill_wants (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    phrase_id integer NOT NULL,
    title text NOT NULL,
    level text,
    visible boolean NOT NULL DEFAULT false,
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_skill_wants PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_wants_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT fk_skill_wants_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT fk_skill_wants_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_skill_wants_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert'))
);
CREATE INDEX ix_skill_wants_near ON skill_wants (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
CREATE INDEX ix_skill_wants_newest ON skill_wants (tile, id) INCLUDE (phrase_id, user_id) WHERE visible;
ALTER TABLE skill_wants ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill_wants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_wants TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON skill_wants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON skill_wants TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON skill_wants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON skill_wants TO porchlight_app, porchlight_overseer;

-- Photos of listings, each with a thumbnail.
CREATE TABLE listing_photos (
    user_id uuid NOT NULL,
    offer_id uuid NOT NULL,
    id uuid NOT NULL,
    position smallint NOT NULL,
    alt text NOT NULL DEFAULT '',
    width smallint NOT NULL,
    height smallint NOT NULL,
    body bytea NOT NULL,
    thumbnail bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_listing_photos PRIMARY KEY (user_id, offer_id, id),
    CONSTRAINT uq_listing_photos_id UNIQUE (id),
    CONSTRAINT fk_listing_photos_offer FOREIGN KEY (user_id, offer_id)
        REFERENCES skill_offers (user_id, id) ON DELETE CASCADE
);
ALTER TABLE listing_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE listing_photos ALTER COLUMN thumbnail SET STORAGE EXTERNAL;
ALTER TABLE listing_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE listing_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON listing_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON listing_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON listing_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON listing_photos TO porchlight_app, porchlight_overseer;

-- The languages of the owners of public listings, so that a search for one reads no others.
CREATE TABLE skill_offer_languages (
    offer_id uuid NOT NULL,
    language text NOT NULL,
    phrase_id integer NOT NULL,
    tile integer NOT NULL,
    CONSTRAINT pk_skill_offer_languages PRIMARY KEY (offer_id, language),
    CONSTRAINT fk_skill_offer_languages_offer_id FOREIGN KEY (offer_id) REFERENCES skill_offers (id) ON DELETE CASCADE
);
CREATE INDEX ix_skill_offer_languages_near ON skill_offer_languages (phrase_id, language, tile);
GRANT SELECT ON skill_offer_languages TO porchlight_overseer;

-- == matches ==========================================================================================================

-- Rings of three users of whom each can teach the next. `availability_bits` holds the availability bits they share.
-- digest is the hash of its members, so that a ring is proposed only once.
-- availability_bits: the times that all three members share, as in UserLocation.
CREATE TABLE swap_rings (
    id uuid NOT NULL,
    digest bytea NOT NULL,
    state text NOT NULL DEFAULT 'proposed',
    availability_bits integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_swap_rings PRIMARY KEY (id),
    CONSTRAINT uq_swap_rings_digest UNIQUE (digest),
    CONSTRAINT ck_swap_rings_state CHECK (state IN ('proposed', 'agreed', 'declined', 'expired'))
);
GRANT SELECT, INSERT, UPDATE, DELETE ON swap_rings TO porchlight_overseer;

-- The three members of a ring and their answers.
CREATE TABLE swap_ring_members (
    user_id uuid NOT NULL,
    ring_id uuid NOT NULL,
    place smallint NOT NULL,
    teaches text NOT NULL,
    answer text,
    answered_at timestamptz,
    CONSTRAINT pk_swap_ring_members PRIMARY KEY (user_id, ring_id),
    CONSTRAINT fk_swap_ring_members_ring_id FOREIGN KEY (ring_id) REFERENCES swap_rings (id) ON DELETE CASCADE,
    CONSTRAINT fk_swap_ring_members_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_swap_ring_members_answer CHECK (answer IN ('accepted', 'declined')),
    CONSTRAINT ck_swap_ring_members_place CHECK (place BETWEEN 0 AND 2)
);
CREATE INDEX ix_swap_ring_members_ring_id ON swap_ring_members (ring_id);
ALTER TABLE swap_ring_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE swap_ring_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON swap_ring_members TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON swap_ring_members FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON swap_ring_members TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON swap_ring_members TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON swap_ring_members TO porchlight_app, porchlight_overseer;

-- == messages =========================================================================================================

-- The messages of two people, or of a customer and a guru. `number` is that of the last message.
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
    CONSTRAINT ck_threads_opened_by CHECK (opened_by = person_a_id OR opened_by = person_b_id),
    CONSTRAINT ck_threads_people CHECK (person_a_id < person_b_id)
);
CREATE UNIQUE INDEX ix_threads_id ON threads (id);
CREATE INDEX ix_threads_opened_by_created_at ON threads (opened_by, created_at);
CREATE INDEX ix_threads_person_b_id ON threads (person_b_id);
ALTER TABLE threads ENABLE ROW LEVEL SECURITY;
ALTER TABLE threads FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON threads FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON threads TO porchlight_owner USING ((app.user_id() = person_a_id) OR (app.user_id() =
    person_b_id))
    WITH CHECK ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id));
CREATE POLICY overseer ON threads TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY pair ON threads TO porchlight_app USING ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id))
    WITH CHECK ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id));
GRANT SELECT ON threads TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON threads TO porchlight_overseer;

-- The number of the last change that a person's clients have to learn of, and how much is unread.
CREATE TABLE inboxes (
    user_id uuid NOT NULL,
    change bigint NOT NULL DEFAULT 0,
    unread integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_inboxes PRIMARY KEY (user_id),
    CONSTRAINT fk_inboxes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_inboxes_unread CHECK (unread >= 0)
);
ALTER TABLE inboxes ENABLE ROW LEVEL SECURITY;
ALTER TABLE inboxes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON inboxes TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON inboxes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON inboxes TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON inboxes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON inboxes TO porchlight_app, porchlight_overseer;

-- Files of messages. Those without a message are deleted after a day.
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
ALTER TABLE message_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE message_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON message_files TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON message_files FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON message_files TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON message_files TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON message_files TO porchlight_app, porchlight_overseer;

-- The state of a thread for one of its two people.
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
    reply_token uuid NOT NULL DEFAULT gen_random_uuid(),
    CONSTRAINT pk_thread_members PRIMARY KEY (user_id, thread_id),
    CONSTRAINT uq_thread_members_reply_token UNIQUE (reply_token),
    CONSTRAINT fk_thread_members_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_thread_members_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_thread_members_unread CHECK (unread >= 0)
);
CREATE INDEX ix_thread_members_held_until ON thread_members (held_until) WHERE held_until IS NOT NULL;
CREATE INDEX ix_thread_members_mail_due_at ON thread_members (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX ix_thread_members_user_id_change ON thread_members (user_id, change);
CREATE INDEX ix_thread_members_user_id_last_at ON thread_members (user_id, last_at, thread_id);
ALTER TABLE thread_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE thread_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON thread_members TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON thread_members FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON thread_members TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON thread_members TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON thread_members TO porchlight_overseer;
GRANT SELECT, UPDATE, DELETE ON thread_members TO porchlight_app;

-- Messages, numbered without gaps in their thread and in the changes of both inboxes.
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
    mail_check text NOT NULL DEFAULT '',
    CONSTRAINT pk_messages PRIMARY KEY (person_a_id, thread_id, number),
    CONSTRAINT uq_messages_person_a_id_thread_id_sender_id_idempotency_key UNIQUE (person_a_id, thread_id, sender_id,
        idempotency_key),
    CONSTRAINT fk_messages_person_a_id_thread_id FOREIGN KEY (person_a_id, thread_id)
        REFERENCES threads (person_a_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_messages_mail_check CHECK (mail_check IN ('', 'verified', 'unknown')),
    CONSTRAINT ck_messages_removed CHECK (removed_at IS NULL OR body = '' AND files = '[]'),
    CONSTRAINT ck_messages_sender CHECK (sender_id = person_a_id OR sender_id = person_b_id)
);
CREATE INDEX ix_messages_person_a_id_change_a ON messages (person_a_id, change_a);
CREATE INDEX ix_messages_person_b_id_change_b ON messages (person_b_id, change_b);
CREATE INDEX ix_messages_sender_id_created_at ON messages (sender_id, created_at);
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON messages FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON messages TO porchlight_owner USING ((app.user_id() = person_a_id) OR (app.user_id() =
    person_b_id))
    WITH CHECK ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id));
CREATE POLICY overseer ON messages TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY pair ON messages TO porchlight_app USING ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id))
    WITH CHECK ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id));
GRANT SELECT ON messages TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON messages TO porchlight_overseer;

-- == money ============================================================================================================

-- Posted events, one per subject and event. Only app.post adds rows; triggers refuse every change.
-- digest covers everything that was posted. reverses: the transaction that it takes back.
CREATE TABLE ledger_transactions (
    id uuid NOT NULL,
    event text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    stripe_object text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT app.now(),
    digest bytea NOT NULL,
    reverses uuid,
    CONSTRAINT pk_ledger_transactions PRIMARY KEY (id),
    CONSTRAINT uq_ledger_transactions_id_event UNIQUE (id, event),
    CONSTRAINT uq_ledger_transactions_reverses UNIQUE (reverses),
    CONSTRAINT uq_ledger_transactions_subject_kind_subject_id_event UNIQUE (subject_kind, subject_id, event),
    CONSTRAINT fk_ledger_transactions_reverses FOREIGN KEY (reverses) REFERENCES ledger_transactions (id)
);
CREATE INDEX ix_ledger_transactions_stripe_object ON ledger_transactions (stripe_object) WHERE stripe_object <> '';
GRANT SELECT ON ledger_transactions TO porchlight_overseer;

-- The kinds of ledger accounts, from `money/rules.toml`. unit: usd (cents) or min (minutes).
-- A kind of account, from rules.toml. unit: usd (cents) or min (minutes). floor: the lowest balance.
CREATE TABLE ledger_kinds (
    kind text NOT NULL,
    holder text NOT NULL,
    unit text NOT NULL,
    floor bigint,
    CONSTRAINT pk_ledger_kinds PRIMARY KEY (kind),
    CONSTRAINT uq_ledger_kinds_kind_unit UNIQUE (kind, unit),
    CONSTRAINT ck_ledger_kinds_holder CHECK (holder IN ('external', 'platform', 'guru', 'customer', 'pair')),
    CONSTRAINT ck_ledger_kinds_unit CHECK (unit IN ('usd', 'min'))
);
GRANT SELECT ON ledger_kinds TO porchlight_overseer;

-- Accounts with at most one owner. They outlive users and gurus. pair_id: one side of a pair of neighbors.
-- Accounts of gurus are keyed by the user who owns the payout account. pair_id: one side of a pair of neighbors. Money
-- outlives accounts of people: no row is deleted with its user.
CREATE TABLE ledger_accounts (
    id uuid NOT NULL,
    kind text NOT NULL,
    unit text NOT NULL,
    tenant_id uuid,
    user_id uuid,
    pair_id uuid,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_ledger_accounts PRIMARY KEY (id),
    CONSTRAINT uq_ledger_accounts_id_unit_kind UNIQUE (id, unit, kind),
    CONSTRAINT uq_ledger_accounts_kind_unit_tenant_id_user_id_pair_id UNIQUE NULLS NOT DISTINCT (kind, unit, tenant_id,
        user_id, pair_id),
    CONSTRAINT fk_ledger_accounts_kind_unit FOREIGN KEY (kind, unit) REFERENCES ledger_kinds (kind, unit),
    CONSTRAINT ck_ledger_accounts_owner CHECK (num_nonnulls(tenant_id, user_id, pair_id) <= 1)
);
CREATE INDEX ix_ledger_accounts_user_id ON ledger_accounts (user_id) WHERE user_id IS NOT NULL;
GRANT SELECT ON ledger_accounts TO porchlight_overseer;

-- The permitted postings, from `money/rules.toml`.
-- A permitted posting, from rules.toml: every transfer has one.
CREATE TABLE ledger_rules (
    event text NOT NULL,
    debit_kind text NOT NULL,
    credit_kind text NOT NULL,
    unit text NOT NULL,
    CONSTRAINT pk_ledger_rules PRIMARY KEY (event, debit_kind, credit_kind, unit),
    CONSTRAINT fk_ledger_rules_credit_kind_unit FOREIGN KEY (credit_kind, unit) REFERENCES ledger_kinds (kind, unit),
    CONSTRAINT fk_ledger_rules_debit_kind_unit FOREIGN KEY (debit_kind, unit) REFERENCES ledger_kinds (kind, unit)
);
GRANT SELECT ON ledger_rules TO porchlight_overseer;

-- Corrections by staff. Above $100 a day a second person approves them.
-- requested_by and decided_by are names of admin keys of named persons.
CREATE TABLE adjustments (
    id uuid NOT NULL,
    event text NOT NULL,
    debit_account uuid NOT NULL,
    credit_account uuid NOT NULL,
    cents bigint NOT NULL,
    reason text NOT NULL,
    state text NOT NULL DEFAULT 'requested',
    requested_by text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT app.now(),
    decided_by text,
    decided_at timestamptz,
    transaction_id uuid,
    CONSTRAINT pk_adjustments PRIMARY KEY (id),
    CONSTRAINT uq_adjustments_transaction_id UNIQUE (transaction_id),
    CONSTRAINT fk_adjustments_credit_account FOREIGN KEY (credit_account) REFERENCES ledger_accounts (id),
    CONSTRAINT fk_adjustments_debit_account FOREIGN KEY (debit_account) REFERENCES ledger_accounts (id),
    CONSTRAINT fk_adjustments_transaction_id FOREIGN KEY (transaction_id) REFERENCES ledger_transactions (id),
    CONSTRAINT ck_adjustments_cents CHECK (cents > 0),
    CONSTRAINT ck_adjustments_posted CHECK ((state = 'posted') = (transaction_id IS NOT NULL)),
    CONSTRAINT ck_adjustments_reason CHECK (btrim(reason) <> ''),
    CONSTRAINT ck_adjustments_second_holder CHECK (transaction_id IS NULL OR cents <= 10000 OR decided_by IS NOT NULL
        AND lower(decided_by) <> lower(requested_by)),
    CONSTRAINT ck_adjustments_state CHECK (state IN ('requested', 'posted', 'rejected'))
);
CREATE INDEX ix_adjustments_requested ON adjustments (requested_at) WHERE state = 'requested';
GRANT SELECT ON adjustments TO porchlight_overseer;

-- The sums of each account's transfers; the balance is credits - debits. reserved: its open holds. seq: the number of
-- its transfers.
-- reserved: the sum of its open holds.
-- seq: the number of its transfers.
CREATE TABLE ledger_balances (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    unit text NOT NULL,
    debits bigint NOT NULL DEFAULT 0,
    credits bigint NOT NULL DEFAULT 0,
    reserved bigint NOT NULL DEFAULT 0,
    floor bigint,
    seq bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_ledger_balances PRIMARY KEY (account_id),
    CONSTRAINT fk_ledger_balances_account_id_unit_kind FOREIGN KEY (account_id, unit, kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT ck_ledger_balances_floor CHECK (floor IS NULL OR (credits - debits - reserved) >= floor),
    CONSTRAINT ck_ledger_balances_reserved CHECK (reserved >= 0),
    CONSTRAINT ck_ledger_balances_sums CHECK (debits >= 0 AND credits >= 0 AND seq >= 0)
);
GRANT SELECT ON ledger_balances TO porchlight_overseer;

-- The legs of transactions, with the running number and balance of both accounts. The foreign keys refuse mixed units
-- and pairs of kinds without a rule.
-- The foreign keys refuse a mix of units and a pair of kinds that no rule permits.
CREATE TABLE ledger_transfers (
    transaction_id uuid NOT NULL,
    n smallint NOT NULL,
    event text NOT NULL,
    unit text NOT NULL,
    amount bigint NOT NULL,
    debit_account uuid NOT NULL,
    debit_kind text NOT NULL,
    debit_seq bigint NOT NULL,
    debit_balance_after bigint NOT NULL,
    credit_account uuid NOT NULL,
    credit_kind text NOT NULL,
    credit_seq bigint NOT NULL,
    credit_balance_after bigint NOT NULL,
    CONSTRAINT pk_ledger_transfers PRIMARY KEY (transaction_id, n),
    CONSTRAINT uq_ledger_transfers_credit_account_credit_seq UNIQUE (credit_account, credit_seq),
    CONSTRAINT uq_ledger_transfers_debit_account_debit_seq UNIQUE (debit_account, debit_seq),
    CONSTRAINT fk_ledger_transfers_credit_account_unit_credit_kind FOREIGN KEY (credit_account, unit, credit_kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT fk_ledger_transfers_debit_account_unit_debit_kind FOREIGN KEY (debit_account, unit, debit_kind)
        REFERENCES ledger_accounts (id, unit, kind),
    CONSTRAINT fk_ledger_transfers_event_debit_kind_credit_kind_unit FOREIGN KEY (event, debit_kind, credit_kind, unit)
        REFERENCES ledger_rules (event, debit_kind, credit_kind, unit),
    CONSTRAINT fk_ledger_transfers_transaction_id_event FOREIGN KEY (transaction_id, event)
        REFERENCES ledger_transactions (id, event),
    CONSTRAINT ck_ledger_transfers_accounts CHECK (debit_account <> credit_account),
    CONSTRAINT ck_ledger_transfers_amount CHECK (amount > 0)
);
GRANT SELECT ON ledger_transfers TO porchlight_overseer;

-- Amounts reserved for a subject until they are posted, voided or expire. No expires_at: only the subject ends it.
-- expires_at: NULL for a hold that only its subject ends, such as a payout with an unclear outcome.
CREATE TABLE ledger_holds (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    amount bigint NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    expires_at timestamptz,
    state text NOT NULL DEFAULT 'held',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    ended_at timestamptz,
    CONSTRAINT pk_ledger_holds PRIMARY KEY (id),
    CONSTRAINT uq_ledger_holds_subject_kind_subject_id UNIQUE (subject_kind, subject_id),
    CONSTRAINT fk_ledger_holds_account_id FOREIGN KEY (account_id) REFERENCES ledger_balances (account_id),
    CONSTRAINT ck_ledger_holds_amount CHECK (amount > 0),
    CONSTRAINT ck_ledger_holds_state CHECK (state IN ('held', 'posted', 'voided', 'expired'))
);
CREATE INDEX ix_ledger_holds_account_id ON ledger_holds (account_id) WHERE state = 'held';
CREATE INDEX ix_ledger_holds_expires_at ON ledger_holds (expires_at) WHERE state = 'held';
GRANT SELECT ON ledger_holds TO porchlight_overseer;

-- == needs ============================================================================================================

-- Which angel was informed of which need, for the daily limit of emails.
CREATE TABLE need_notices (
    user_id uuid NOT NULL,
    need_id uuid NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_need_notices PRIMARY KEY (user_id, need_id),
    CONSTRAINT fk_need_notices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
CREATE INDEX ix_need_notices_user_id_sent_at ON need_notices (user_id, sent_at);
ALTER TABLE need_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE need_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON need_notices TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON need_notices FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON need_notices TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON need_notices TO porchlight_app, porchlight_overseer;

-- Offers of angels on needs.
CREATE TABLE need_offers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    need_id uuid NOT NULL,
    price_cents integer NOT NULL,
    message text NOT NULL,
    status text NOT NULL DEFAULT 'open',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    attempts smallint NOT NULL DEFAULT 1,
    CONSTRAINT pk_need_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_need_offers_id UNIQUE (id),
    CONSTRAINT uq_need_offers_user_id_need_id UNIQUE (user_id, need_id),
    CONSTRAINT fk_need_offers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_need_offers_attempts CHECK (attempts BETWEEN 1 AND 3),
    CONSTRAINT ck_need_offers_price CHECK (price_cents BETWEEN 0 AND 1000000),
    CONSTRAINT ck_need_offers_status CHECK (status IN ('open', 'withdrawn'))
);
CREATE INDEX ix_need_offers_need_id ON need_offers (need_id);
ALTER TABLE need_offers ENABLE ROW LEVEL SECURITY;
ALTER TABLE need_offers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON need_offers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON need_offers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON need_offers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON need_offers TO porchlight_app, porchlight_overseer;

-- What users ask angels for. `asked_user_id` is set when the need is addressed to one angel.
CREATE TABLE needs (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    service_id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    asked_user_id uuid,
    wanted_from date NOT NULL,
    wanted_until date NOT NULL,
    time_note text NOT NULL DEFAULT '',
    hours numeric(4,1) NOT NULL,
    budget_cents integer,
    low_cents integer,
    high_cents integer,
    city text NOT NULL,
    region text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    status text NOT NULL DEFAULT 'open',
    accepted_offer_id uuid,
    accepted_user_id uuid,
    rating smallint,
    review text NOT NULL DEFAULT '',
    idempotency_key text NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_needs PRIMARY KEY (user_id, id),
    CONSTRAINT uq_needs_id UNIQUE (id),
    CONSTRAINT uq_needs_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT fk_needs_service_id FOREIGN KEY (service_id) REFERENCES angel_services (id),
    CONSTRAINT fk_needs_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_needs_accepted CHECK ((status IN ('accepted', 'done')) = (accepted_offer_id IS NOT NULL)),
    CONSTRAINT ck_needs_accepted_user CHECK ((accepted_user_id IS NULL) = (accepted_offer_id IS NULL)),
    CONSTRAINT ck_needs_budget CHECK (budget_cents BETWEEN 100 AND 1000000),
    CONSTRAINT ck_needs_days CHECK (wanted_from <= wanted_until),
    CONSTRAINT ck_needs_hours CHECK (hours BETWEEN 0.5 AND 80),
    CONSTRAINT ck_needs_rating CHECK (rating IS NULL OR rating BETWEEN 1 AND 5 AND status = 'done'),
    CONSTRAINT ck_needs_status CHECK (status IN ('open', 'accepted', 'done', 'withdrawn', 'expired'))
);
CREATE INDEX ix_needs_accepted_user_id ON needs (accepted_user_id) WHERE accepted_user_id IS NOT NULL;
CREATE INDEX ix_needs_asked_user_id ON needs (asked_user_id) WHERE asked_user_id IS NOT NULL;
CREATE INDEX ix_needs_expires_at ON needs (expires_at) WHERE status = 'open';
CREATE INDEX ix_needs_service_id_id ON needs (service_id, id) WHERE status = 'open';
CREATE INDEX ix_needs_service_id_taken ON needs (service_id, id) WHERE status IN ('accepted', 'done');
ALTER TABLE needs ENABLE ROW LEVEL SECURITY;
ALTER TABLE needs FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON needs TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON needs FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON needs TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON needs TO porchlight_app, porchlight_overseer;

-- Photos of needs.
CREATE TABLE need_photos (
    user_id uuid NOT NULL,
    need_id uuid NOT NULL,
    id uuid NOT NULL,
    position smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_need_photos PRIMARY KEY (user_id, need_id, id),
    CONSTRAINT uq_need_photos_id UNIQUE (id),
    CONSTRAINT fk_need_photos_need FOREIGN KEY (user_id, need_id) REFERENCES needs (user_id, id) ON DELETE CASCADE
);
ALTER TABLE need_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE need_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE need_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON need_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON need_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON need_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON need_photos TO porchlight_app, porchlight_overseer;

-- == posts ============================================================================================================

-- Blog posts of gurus.
CREATE TABLE posts (
    tenant_id uuid NOT NULL,
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    cover_id uuid,
    cover_alt text NOT NULL DEFAULT '',
    old_slugs text[] NOT NULL DEFAULT '{}',
    tag_names text[] NOT NULL DEFAULT '{}',
    hidden_reason text NOT NULL DEFAULT '',
    CONSTRAINT pk_posts PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_posts_tenant_id_slug UNIQUE (tenant_id, slug),
    CONSTRAINT fk_posts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_posts_tenant_id_cover_id FOREIGN KEY (tenant_id, cover_id)
        REFERENCES site_images (tenant_id, id) ON DELETE SET NULL (cover_id),
    CONSTRAINT ck_posts_hidden CHECK ((status = 'hidden') = (hidden_reason <> '')),
    CONSTRAINT ck_posts_published CHECK (status = 'draft' OR published_at IS NOT NULL),
    CONSTRAINT ck_posts_status CHECK (status IN ('draft', 'published', 'hidden'))
);
CREATE INDEX ix_posts_tenant_id_published_at_id ON posts (tenant_id, published_at, id);
CREATE INDEX ix_posts_tenant_id_renamed ON posts (tenant_id) WHERE old_slugs <> '{}';
ALTER TABLE posts ENABLE ROW LEVEL SECURITY;
ALTER TABLE posts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON posts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY directory ON posts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON posts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON posts TO porchlight_app, porchlight_overseer;

-- The editor's state of a post: the revision that the next save must name, and the autosaved working copy.
CREATE TABLE post_edits (
    tenant_id uuid NOT NULL,
    post_id uuid NOT NULL,
    revision bigint NOT NULL DEFAULT 1,
    working_copy jsonb,
    saved_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_post_edits PRIMARY KEY (tenant_id, post_id),
    CONSTRAINT fk_post_edits_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_post_edits_tenant_id_post_id FOREIGN KEY (tenant_id, post_id)
        REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE post_edits ENABLE ROW LEVEL SECURITY;
ALTER TABLE post_edits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON post_edits TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON post_edits TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON post_edits TO porchlight_app, porchlight_overseer;

-- How often a post was read.
CREATE TABLE post_views (
    tenant_id uuid NOT NULL,
    post_id uuid NOT NULL,
    views bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_post_views PRIMARY KEY (tenant_id, post_id),
    CONSTRAINT fk_post_views_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_post_views_tenant_id_post_id FOREIGN KEY (tenant_id, post_id)
        REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE post_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE post_views FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON post_views TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON post_views TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON post_views TO porchlight_app, porchlight_overseer;

-- == search ===========================================================================================================

-- Public pages of gurus, posts and angel services, indexed by the worker. `version` is the guru's content version.
CREATE TABLE search_entries (
    kind text NOT NULL,
    item text NOT NULL,
    owner_id uuid,
    version bigint NOT NULL DEFAULT 0,
    title text NOT NULL,
    summary text NOT NULL,
    label text NOT NULL DEFAULT '',
    slug text NOT NULL DEFAULT '',
    price_cents bigint,
    city text NOT NULL DEFAULT '',
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    indexed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_search_entries PRIMARY KEY (kind, item),
    CONSTRAINT ck_search_entries_kind CHECK (kind IN ('guru', 'post', 'angel'))
);
CREATE INDEX ix_search_entries_owner_id ON search_entries (owner_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_entries TO porchlight_overseer;

-- Searches that a user saved. `seen_at` is when the user last saw the results.
CREATE TABLE saved_searches (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    words text NOT NULL,
    filters jsonb NOT NULL DEFAULT '{}',
    seen_at timestamptz NOT NULL DEFAULT app.now(),
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_saved_searches PRIMARY KEY (user_id, id),
    CONSTRAINT fk_saved_searches_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE saved_searches ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_searches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON saved_searches TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON saved_searches FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON saved_searches TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_searches TO porchlight_app, porchlight_overseer;

-- The phrases by which search finds an entry.
-- weight (up to 1) is the phrase's share of the entry, tile is where the entry is.
CREATE TABLE search_entry_phrases (
    phrase_id integer NOT NULL,
    kind text NOT NULL,
    item text NOT NULL,
    weight real NOT NULL,
    tile integer NOT NULL DEFAULT -1,
    CONSTRAINT pk_search_entry_phrases PRIMARY KEY (phrase_id, kind, item),
    CONSTRAINT fk_search_entry_phrases_kind_item FOREIGN KEY (kind, item)
        REFERENCES search_entries (kind, item) ON DELETE CASCADE,
    CONSTRAINT fk_search_entry_phrases_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id),
    CONSTRAINT ck_search_entry_phrases_weight CHECK (weight > 0 AND weight <= 1)
);
CREATE INDEX ix_search_entry_phrases_gurus ON search_entry_phrases (phrase_id, item) INCLUDE (weight)
    WHERE (kind = 'guru') AND (weight >= (0.8)::double precision);
CREATE INDEX ix_search_entry_phrases_kind_item ON search_entry_phrases (kind, item);
CREATE INDEX ix_search_entry_phrases_near ON search_entry_phrases (phrase_id, kind, tile);
GRANT SELECT, INSERT, UPDATE, DELETE ON search_entry_phrases TO porchlight_overseer;

-- == waivers ==========================================================================================================

-- The newest link of each chain of waivers. Locked while the next one is signed.
CREATE TABLE waiver_heads (
    chain_id text NOT NULL,
    number bigint NOT NULL DEFAULT 0,
    hash text NOT NULL DEFAULT repeat('0', 64),
    CONSTRAINT pk_waiver_heads PRIMARY KEY (chain_id)
);
GRANT SELECT ON waiver_heads TO porchlight_overseer;

-- Accepted waivers, kept for years: they stay when the account is deleted, without `erasable`.
CREATE TABLE waivers (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    exchange_id text NOT NULL,
    guru_id uuid,
    level text NOT NULL,
    text_version integer NOT NULL,
    record text NOT NULL,
    sha256 text NOT NULL,
    erasable jsonb NOT NULL,
    signed boolean NOT NULL,
    accepted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    pdf bytea NOT NULL,
    chain_id text NOT NULL,
    number bigint NOT NULL,
    idempotency_key text,
    digest bytea NOT NULL,
    withdrawn_at timestamptz,
    guru_text_version integer,
    CONSTRAINT pk_waivers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_waivers_user_id_chain_id_number UNIQUE (user_id, chain_id, number),
    CONSTRAINT uq_waivers_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT ck_waivers_level CHECK (level IN ('low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_waivers_sha256 CHECK (sha256 = encode(sha256(convert_to(record, 'UTF8'::name)), 'hex')),
    CONSTRAINT ck_waivers_times CHECK (expires_at > accepted_at),
    CONSTRAINT ck_waivers_withdrawal CHECK (withdrawn_at = ended_at)
);
ALTER TABLE waivers ENABLE ROW LEVEL SECURITY;
ALTER TABLE waivers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON waivers TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY founding ON waivers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON waivers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON waivers TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON waivers TO porchlight_overseer;
-- Requests may withdraw a waiver, and erase what it can lose when the account is deleted.
GRANT UPDATE (erasable, ended_at, pdf, withdrawn_at) ON waivers TO porchlight_app;

-- Versions of what a guru adds to the waiver: append-only. An empty body is a removed text.
CREATE TABLE guru_waiver_texts (
    tenant_id uuid NOT NULL,
    version integer NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_guru_waiver_texts PRIMARY KEY (tenant_id, version),
    CONSTRAINT fk_guru_waiver_texts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_guru_waiver_texts_body CHECK (char_length(body) <= 1000),
    CONSTRAINT ck_guru_waiver_texts_version CHECK (version > 0)
);
ALTER TABLE guru_waiver_texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_waiver_texts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_waiver_texts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON guru_waiver_texts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON guru_waiver_texts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON guru_waiver_texts TO porchlight_app;
GRANT SELECT, INSERT, DELETE ON guru_waiver_texts TO porchlight_overseer;

-- Signed hashes of waivers: append-only.
-- A link (chain.ChainLink) with its signature.
CREATE TABLE waiver_links (
    chain_id text NOT NULL,
    number bigint NOT NULL,
    previous text NOT NULL,
    record_sha256 text NOT NULL,
    pdf_sha256 text NOT NULL,
    at timestamptz NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT pk_waiver_links PRIMARY KEY (chain_id, number),
    CONSTRAINT fk_waiver_links_chain_id FOREIGN KEY (chain_id) REFERENCES waiver_heads (chain_id),
    CONSTRAINT ck_waiver_links_number CHECK (number > 0)
);
GRANT SELECT ON waiver_links TO porchlight_overseer;

-- Views of emergency contacts by gurus: a log that both parties see.
CREATE TABLE contact_views (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    booking_id uuid NOT NULL,
    person_id uuid NOT NULL,
    viewed_by uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_contact_views PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_contact_views_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_contact_views_tenant_id_booking_id FOREIGN KEY (tenant_id, booking_id)
        REFERENCES bookings (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ix_contact_views_person_id ON contact_views (person_id);
CREATE INDEX ix_contact_views_tenant_id_booking_id ON contact_views (tenant_id, booking_id);
ALTER TABLE contact_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE contact_views FORCE ROW LEVEL SECURITY;
CREATE POLICY founding ON contact_views TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON contact_views TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON contact_views TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
GRANT SELECT ON contact_views TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_views TO porchlight_overseer;

-- == account ==========================================================================================================

-- Email addresses of deleted accounts, until the last email to them is sent.
CREATE TABLE pending_account_emails (
    id uuid NOT NULL,
    recipient text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_pending_account_emails PRIMARY KEY (id)
);
GRANT SELECT, DELETE ON pending_account_emails TO porchlight_overseer;

-- == audit ============================================================================================================

-- The number and the hash of the newest audit log entry. One row.
CREATE TABLE audit_head (
    one boolean NOT NULL DEFAULT true,
    id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT pk_audit_head PRIMARY KEY (one)
);
GRANT SELECT ON audit_head TO porchlight_overseer;

-- What staff did, as a chain of hashes. Rows can only be added.
CREATE TABLE audit_log (
    id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT app.now(),
    actor text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL DEFAULT '',
    subject_id text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT pk_audit_log PRIMARY KEY (id)
);
CREATE INDEX ix_audit_log_subject_kind_subject_id ON audit_log (subject_kind, subject_id);
GRANT SELECT, INSERT ON audit_log TO porchlight_overseer;

-- Signatures of audit log entries, by a key that is not in the database. No foreign key: a signature must survive the
-- removal of its entry to reveal it. An entry may have one per key, so that keys can be rotated.
-- key_name does not reveal the key.
CREATE TABLE audit_seals (
    id bigint NOT NULL,
    key_name text NOT NULL,
    seal bytea NOT NULL,
    CONSTRAINT pk_audit_seals PRIMARY KEY (id, key_name)
);
GRANT SELECT, INSERT ON audit_seals TO porchlight_overseer;

-- == billing ==========================================================================================================

-- Prices and settings at the payment provider, written by `porchlight billing sync`.
-- An object at Stripe of porchlight billing sync: a price by its lookup key, or the portal's settings.
CREATE TABLE billing_catalog (
    key text NOT NULL,
    object_id text NOT NULL,
    cents integer,
    synced_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_billing_catalog PRIMARY KEY (key)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON billing_catalog TO porchlight_overseer;

-- Users as customers of the payment provider, with the card that is charged by default.
CREATE TABLE billing_customers (
    user_id uuid NOT NULL,
    request_id uuid NOT NULL DEFAULT gen_random_uuid(),
    customer_id text,
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_billing_customers PRIMARY KEY (user_id),
    CONSTRAINT uq_billing_customers_customer_id UNIQUE (customer_id),
    CONSTRAINT fk_billing_customers_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
ALTER TABLE billing_customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE billing_customers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON billing_customers TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON billing_customers FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON billing_customers TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON billing_customers TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON billing_customers TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON billing_customers TO porchlight_overseer;

-- Changes of a subscription that users asked for, one at a time.
CREATE TABLE plan_changes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    kind text NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    prorated_at timestamptz,
    state text NOT NULL DEFAULT 'requested',
    payment_url text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_changes PRIMARY KEY (user_id, id),
    CONSTRAINT fk_plan_changes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_changes_kind CHECK (kind IN ('upgrade', 'downgrade', 'cancel', 'keep')),
    CONSTRAINT ck_plan_changes_state CHECK (state IN ('requested', 'done', 'unpaid', 'refused'))
);
CREATE UNIQUE INDEX uq_plan_changes_requested ON plan_changes (user_id) WHERE state = 'requested';
ALTER TABLE plan_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_changes TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_changes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_changes TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_changes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_changes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_changes TO porchlight_overseer;

-- Purchases of a plan: one open checkout for each user.
CREATE TABLE plan_checkouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    return_url text NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    session_id text,
    url text NOT NULL DEFAULT '',
    expires_at timestamptz,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_checkouts PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_checkouts_session_id UNIQUE (session_id),
    CONSTRAINT fk_plan_checkouts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_checkouts_interval CHECK (interval IN ('month', 'year')),
    CONSTRAINT ck_plan_checkouts_plan CHECK (plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_plan_checkouts_state CHECK (state IN ('waiting', 'open', 'complete', 'expired', 'replaced',
        'refused'))
);
CREATE UNIQUE INDEX uq_plan_checkouts_open ON plan_checkouts (user_id) WHERE state IN ('waiting', 'open');
ALTER TABLE plan_checkouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_checkouts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_checkouts TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_checkouts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_checkouts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_checkouts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_checkouts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_checkouts TO porchlight_overseer;

-- Disputes of the charges of plans, as last fetched from the payment provider.
CREATE TABLE plan_disputes (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    dp_id text NOT NULL,
    charge_id text NOT NULL,
    amount integer NOT NULL,
    fee integer NOT NULL,
    reason text NOT NULL,
    state text NOT NULL,
    due_by timestamptz,
    opened_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_plan_disputes PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_disputes_dp_id UNIQUE (dp_id),
    CONSTRAINT fk_plan_disputes_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_disputes_state CHECK (state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed'))
);
CREATE INDEX ix_plan_disputes_id ON plan_disputes (id);
CREATE INDEX ix_plan_disputes_open ON plan_disputes (opened_at) WHERE state IN ('inquiry', 'open', 'under_review');
ALTER TABLE plan_disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_disputes TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_disputes FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON plan_disputes TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_disputes TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_disputes TO porchlight_overseer;

-- Invoices of subscriptions, as last fetched from the payment provider.
CREATE TABLE plan_invoices (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    in_id text NOT NULL,
    sub_id text NOT NULL,
    number text NOT NULL,
    state text NOT NULL,
    total_cents integer NOT NULL,
    paid_cents integer NOT NULL,
    failed boolean NOT NULL,
    payment_intent text NOT NULL,
    payment_url text NOT NULL,
    issued_at timestamptz NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT pk_plan_invoices PRIMARY KEY (user_id, id),
    CONSTRAINT uq_plan_invoices_in_id UNIQUE (in_id),
    CONSTRAINT fk_plan_invoices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_plan_invoices_state CHECK (state IN ('draft', 'open', 'paid', 'uncollectible', 'void'))
);
CREATE INDEX ix_plan_invoices_sub_id ON plan_invoices (sub_id);
ALTER TABLE plan_invoices ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_invoices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_invoices TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_invoices FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON plan_invoices TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_invoices TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_invoices TO porchlight_overseer;

-- Reminders of a failed payment that were sent.
CREATE TABLE plan_notices (
    user_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    past_due_since timestamptz NOT NULL,
    day integer NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_notices PRIMARY KEY (user_id, subscription_id, past_due_since, day),
    CONSTRAINT fk_plan_notices_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
ALTER TABLE plan_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_notices TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_notices FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON plan_notices TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON plan_notices TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_notices TO porchlight_overseer;

-- == categories =======================================================================================================

-- The skill categories that a guru's site lists. `listed` follows the documents of the owner.
-- Visitors see it while it is listed and not over_limit (of the owner's plan).
-- A category that needs_documents is listed while all of them are approved, at most until the end of good_until.
CREATE TABLE guru_categories (
    tenant_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    position integer NOT NULL DEFAULT 0,
    needs_documents boolean NOT NULL,
    listed boolean NOT NULL DEFAULT false,
    good_until date,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    over_limit boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_guru_categories PRIMARY KEY (tenant_id, slug),
    CONSTRAINT fk_guru_categories_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE guru_categories ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_categories FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_categories TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_categories TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_categories TO porchlight_app, porchlight_overseer;

-- == contact ==========================================================================================================

-- Messages to the staff.
-- address_hash and network_hash: keyed hashes, for limits only.
-- awaits_digest: the staff gets no email of its own about it, but one about all messages that wait.
CREATE TABLE contact_messages (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    network_hash bytea,
    awaits_digest boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_contact_messages PRIMARY KEY (id),
    CONSTRAINT uq_contact_messages_idempotency_key UNIQUE (idempotency_key)
);
CREATE INDEX ix_contact_messages_address_hash_created_at ON contact_messages (address_hash, created_at);
CREATE INDEX ix_contact_messages_awaits_digest ON contact_messages (created_at) WHERE awaits_digest;
CREATE INDEX ix_contact_messages_created_at ON contact_messages (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_messages TO porchlight_overseer;

-- == domains ==========================================================================================================

-- Checks of domains that gurus started, for the limit per hour.
CREATE TABLE domain_checks (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_domain_checks PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_domain_checks_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
CREATE INDEX ix_domain_checks_tenant_id_created_at ON domain_checks (tenant_id, created_at);
ALTER TABLE domain_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE domain_checks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domain_checks TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON domain_checks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON domain_checks TO porchlight_app, porchlight_overseer;

-- == email_settings ===================================================================================================

-- Which emails a user wants, by kind. `token` is in the links of emails; the kind `all` is the page with all settings.
CREATE TABLE email_settings (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    token uuid NOT NULL DEFAULT gen_random_uuid(),
    is_on boolean NOT NULL DEFAULT true,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    is_daily boolean NOT NULL DEFAULT false,
    push boolean,
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
GRANT SELECT, INSERT, UPDATE, DELETE ON email_settings TO porchlight_overseer;
GRANT INSERT (user_id, kind) ON email_settings TO porchlight_app;
GRANT INSERT (is_on, changed_at, is_daily, push), UPDATE (is_on, changed_at, is_daily, push) ON email_settings TO
    porchlight_app;

-- == emails ===========================================================================================================

-- Emails of the local demo, instead of a mail server.
-- The unique key makes storing the same email twice harmless.
CREATE TABLE dev_mailbox (
    id uuid NOT NULL,
    key text NOT NULL,
    tenant_id uuid,
    recipient text NOT NULL,
    reply_to text NOT NULL DEFAULT '',
    subject text NOT NULL,
    plain text NOT NULL,
    html text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT app.now(),
    invitation text NOT NULL DEFAULT '',
    original bytea NOT NULL DEFAULT '\x'::bytea,
    CONSTRAINT pk_dev_mailbox PRIMARY KEY (id),
    CONSTRAINT uq_dev_mailbox_key UNIQUE (key)
);
CREATE INDEX ix_dev_mailbox_sent_at ON dev_mailbox (sent_at);
CREATE INDEX ix_dev_mailbox_tenant_id ON dev_mailbox (tenant_id);
GRANT SELECT, INSERT, DELETE ON dev_mailbox TO porchlight_overseer;

-- == exchanges ========================================================================================================

-- Sessions that two neighbors agree on: proposed starts, then one that the teacher's time excludes others from.
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
    mode text NOT NULL DEFAULT 'direct',
    record_state text NOT NULL DEFAULT '',
    recorded_minutes smallint,
    recorded_by text NOT NULL DEFAULT '',
    record_round smallint NOT NULL DEFAULT 0,
    settle_by timestamptz,
    settled_at timestamptz,
    reversal_by text NOT NULL DEFAULT '',
    CONSTRAINT pk_exchanges PRIMARY KEY (person_a_id, id),
    CONSTRAINT uq_exchanges_person_a_id_person_b_id_teacher_id_idempotency_key UNIQUE (person_a_id, person_b_id,
        teacher_id, idempotency_key),
    CONSTRAINT ck_exchanges_ended_by CHECK (ended_by IN ('', 'teacher', 'learner')),
    CONSTRAINT ck_exchanges_minutes CHECK (minutes BETWEEN 30 AND 240),
    CONSTRAINT ck_exchanges_mode CHECK (mode IN ('hours', 'swap', 'free', 'direct')),
    CONSTRAINT ck_exchanges_open CHECK ((status IN ('asked', 'countered')) = (expires_at IS NOT NULL AND turn <> '')),
    CONSTRAINT ck_exchanges_people CHECK (person_a_id < person_b_id),
    CONSTRAINT ck_exchanges_place CHECK (place IN ('teacher', 'learner', 'online', 'agreed')),
    CONSTRAINT ck_exchanges_proposals CHECK (cardinality(proposals) BETWEEN 1 AND 3),
    CONSTRAINT ck_exchanges_record CHECK (record_round BETWEEN 0 AND 3 AND (record_round > 0) = (recorded_minutes IS
        NOT NULL AND recorded_by <> '') AND (record_round > 0 OR (record_state IN ('', 'unsettled')))),
    CONSTRAINT ck_exchanges_record_state CHECK (record_state IN ('', 'recorded', 'settled', 'unsettled', 'reversed')),
    CONSTRAINT ck_exchanges_recorded_by CHECK (recorded_by IN ('', 'teacher', 'learner')),
    CONSTRAINT ck_exchanges_recorded_minutes CHECK (recorded_minutes BETWEEN 0 AND 480 AND (recorded_minutes::integer %
        15) = 0),
    CONSTRAINT ck_exchanges_reply_by CHECK (reply_by IN ('', 'teacher', 'learner')),
    CONSTRAINT ck_exchanges_reversal_by CHECK (reversal_by IN ('', 'teacher', 'learner')),
    CONSTRAINT ck_exchanges_risk CHECK (risk IN ('', 'low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_exchanges_round CHECK (round BETWEEN 1 AND 3),
    CONSTRAINT ck_exchanges_settle_by CHECK (settle_by IS NULL OR (record_state IN ('', 'recorded'))),
    CONSTRAINT ck_exchanges_settled_at CHECK ((record_state IN ('settled', 'reversed')) = (settled_at IS NOT NULL)),
    CONSTRAINT ck_exchanges_settlement CHECK (record_state = '' OR status = 'completed' AND mode <> 'direct'),
    CONSTRAINT ck_exchanges_status CHECK (status IN ('asked', 'countered', 'confirmed', 'declined', 'canceled',
        'expired', 'completed')),
    CONSTRAINT ck_exchanges_teacher CHECK (teacher_id = person_a_id OR teacher_id = person_b_id),
    CONSTRAINT ck_exchanges_times CHECK ((starts_at IS NULL) = (ends_at IS NULL) AND ends_at > starts_at AND (starts_at
        IS NOT NULL OR (status <> ALL (ARRAY['confirmed', 'completed'])))),
    CONSTRAINT ck_exchanges_turn CHECK (turn IN ('', 'teacher', 'learner')),
    CONSTRAINT ex_exchanges_teacher EXCLUDE USING gist (teacher_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE
        (status = 'confirmed')
);
CREATE INDEX ix_exchanges_ends_at ON exchanges (ends_at) WHERE status = 'confirmed';
CREATE INDEX ix_exchanges_expires_at ON exchanges (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX ix_exchanges_id ON exchanges (id);
CREATE INDEX ix_exchanges_person_b_id ON exchanges (person_b_id);
CREATE INDEX ix_exchanges_remind_at ON exchanges (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX ix_exchanges_settle_by ON exchanges (settle_by) WHERE settle_by IS NOT NULL;
ALTER TABLE exchanges ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchanges FORCE ROW LEVEL SECURITY;
CREATE POLICY directory ON exchanges FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON exchanges TO porchlight_owner USING ((app.user_id() = person_a_id) OR (app.user_id() =
    person_b_id))
    WITH CHECK ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id));
CREATE POLICY overseer ON exchanges TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY pair ON exchanges TO porchlight_app USING ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id))
    WITH CHECK ((app.user_id() = person_a_id) OR (app.user_id() = person_b_id));
GRANT SELECT ON exchanges TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON exchanges TO porchlight_overseer;

-- == flags ============================================================================================================

-- Feature flags, when they differ from their default.
CREATE TABLE flag_settings (
    name text NOT NULL,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_flag_settings PRIMARY KEY (name)
);
GRANT SELECT ON flag_settings TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON flag_settings TO porchlight_overseer;

-- Feature flags of single gurus.
CREATE TABLE guru_flags (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    enabled boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_guru_flags PRIMARY KEY (tenant_id, name),
    CONSTRAINT fk_guru_flags_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE guru_flags ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_flags FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_flags TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY lookup ON guru_flags FOR SELECT TO porchlight_owner USING (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_flags TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON guru_flags TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_flags TO porchlight_overseer;

-- == gallery ==========================================================================================================

-- Pictures that guru sites show: at the top of the home page, in the gallery, and of services.
CREATE TABLE gallery_pictures (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    place text NOT NULL,
    service_id uuid,
    position integer NOT NULL,
    image_id uuid NOT NULL,
    alt text NOT NULL,
    focus_x smallint NOT NULL DEFAULT 50,
    focus_y smallint NOT NULL DEFAULT 50,
    CONSTRAINT pk_gallery_pictures PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_gallery_pictures_tenant_id_place_service_id_position UNIQUE NULLS NOT DISTINCT (tenant_id, place,
        service_id, position),
    CONSTRAINT fk_gallery_pictures_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_gallery_pictures_tenant_id_image_id FOREIGN KEY (tenant_id, image_id)
        REFERENCES site_images (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_gallery_pictures_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_gallery_pictures_focus CHECK (focus_x BETWEEN 0 AND 100 AND focus_y BETWEEN 0 AND 100),
    CONSTRAINT ck_gallery_pictures_place CHECK (place IN ('hero', 'gallery', 'service')),
    CONSTRAINT ck_gallery_pictures_service_id CHECK ((place = 'service') = (service_id IS NOT NULL))
);
CREATE INDEX ix_gallery_pictures_tenant_id_image_id ON gallery_pictures (tenant_id, image_id);
CREATE INDEX ix_gallery_pictures_tenant_id_service_id ON gallery_pictures (tenant_id, service_id);
ALTER TABLE gallery_pictures ENABLE ROW LEVEL SECURITY;
ALTER TABLE gallery_pictures FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gallery_pictures TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON gallery_pictures TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON gallery_pictures TO porchlight_app, porchlight_overseer;

-- == notifications ====================================================================================================

-- When a person's notes are held back and their digest is sent, by their own clocks.
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

-- What happened for a person, and which channels still have to say so.
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
    WHERE (mail_at IS NOT NULL) OR (push_at IS NOT NULL) OR (digest_id IS NOT NULL);
ALTER TABLE notifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE notifications FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notifications TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON notifications TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON notifications TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON notifications TO porchlight_overseer;
GRANT UPDATE (seen_at, read_at, mail_at, push_at, digest_id) ON notifications TO porchlight_app;

-- The browsers that show a person's notifications (Web Push).
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
GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscriptions TO porchlight_overseer;
GRANT INSERT (user_id, id, endpoint_hash, endpoint) ON push_subscriptions TO porchlight_app;
GRANT INSERT (public_key, auth_secret, device), UPDATE (public_key, auth_secret, device) ON push_subscriptions TO
    porchlight_app;
GRANT UPDATE (created_at, last_ok_at) ON push_subscriptions TO porchlight_app;

-- == onboarding =======================================================================================================

-- Photos that were uploaded in the wizard, square and without metadata. Sites show them by their id.
CREATE TABLE onboarding_photos (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
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

-- The onboarding draft of a user, until and after the guru is published.
CREATE TABLE onboardings (
    user_id uuid NOT NULL,
    display_name text NOT NULL DEFAULT '',
    photo_url text NOT NULL DEFAULT '',
    city text NOT NULL DEFAULT '',
    zip text NOT NULL DEFAULT '',
    bio text NOT NULL DEFAULT '',
    complete boolean NOT NULL DEFAULT false,
    subdomain text NOT NULL DEFAULT '',
    published jsonb,
    published_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    services jsonb,
    skills text[],
    place text NOT NULL DEFAULT '',
    place_text text NOT NULL DEFAULT '',
    CONSTRAINT pk_onboardings PRIMARY KEY (user_id),
    CONSTRAINT fk_onboardings_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_onboardings_place CHECK (place IN ('', 'guru', 'person', 'online', 'agreed'))
);
ALTER TABLE onboardings ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboardings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON onboardings TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON onboardings FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON onboardings TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON onboardings TO porchlight_app, porchlight_overseer;

-- The categories that a user picked in onboarding.
CREATE TABLE category_picks (
    user_id uuid NOT NULL,
    category_slug text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_category_picks PRIMARY KEY (user_id, category_slug),
    CONSTRAINT fk_category_picks_category_slug FOREIGN KEY (category_slug)
        REFERENCES skill_categories (slug) ON DELETE CASCADE,
    CONSTRAINT fk_category_picks_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE category_picks ENABLE ROW LEVEL SECURITY;
ALTER TABLE category_picks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON category_picks TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON category_picks FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON category_picks TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON category_picks TO porchlight_app, porchlight_overseer;

-- == payouts ==========================================================================================================

-- Payouts from gurus' accounts to their banks.
CREATE TABLE payouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL DEFAULT 0,
    method text NOT NULL,
    automatic boolean NOT NULL DEFAULT false,
    destination text NOT NULL DEFAULT '',
    last4 text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'requested',
    po_id text,
    failure_code text NOT NULL DEFAULT '',
    arrival_date date,
    request_key text NOT NULL DEFAULT '',
    requested_cents bigint,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    checked_at timestamptz,
    CONSTRAINT pk_payouts PRIMARY KEY (user_id, id),
    CONSTRAINT uq_payouts_po_id UNIQUE (po_id),
    CONSTRAINT ck_payouts_amounts CHECK (amount > 0 AND fee >= 0),
    CONSTRAINT ck_payouts_method CHECK (method IN ('standard', 'instant')),
    CONSTRAINT ck_payouts_state CHECK (state IN ('requested', 'sent', 'in_transit', 'paid', 'failed', 'canceled'))
);
CREATE INDEX ix_payouts_checked_at ON payouts (checked_at) WHERE state IN ('sent', 'in_transit');
CREATE INDEX ix_payouts_created_at ON payouts (created_at) WHERE method = 'instant';
CREATE INDEX ix_payouts_user_id_created_at ON payouts (user_id, created_at);
CREATE UNIQUE INDEX uq_payouts_account_id_open ON payouts (account_id)
    WHERE (state IN ('requested', 'sent')) AND (NOT automatic);
CREATE UNIQUE INDEX uq_payouts_user_id_request_key ON payouts (user_id, request_key) WHERE request_key <> '';
ALTER TABLE payouts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payouts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payouts TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON payouts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON payouts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON payouts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON payouts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payouts TO porchlight_overseer;

-- Accounts at the payment provider.
CREATE TABLE payout_accounts (
    user_id uuid NOT NULL,
    account_id text NOT NULL,
    connected boolean NOT NULL DEFAULT true,
    charges_enabled boolean NOT NULL DEFAULT false,
    payouts_enabled boolean NOT NULL DEFAULT false,
    details_submitted boolean NOT NULL DEFAULT false,
    currently_due text[] NOT NULL DEFAULT '{}',
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    destinations text[] NOT NULL DEFAULT '{}',
    destinations_changed_at timestamptz,
    CONSTRAINT pk_payout_accounts PRIMARY KEY (user_id),
    CONSTRAINT uq_payout_accounts_account_id UNIQUE (account_id),
    CONSTRAINT fk_payout_accounts_user_id FOREIGN KEY (user_id) REFERENCES users (user_id)
);
ALTER TABLE payout_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE payout_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON payout_accounts TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY created ON payout_accounts AS RESTRICTIVE FOR INSERT TO porchlight_app
    WITH CHECK ((NOT charges_enabled) AND (NOT payouts_enabled) AND (NOT details_submitted) AND (checked_at IS NULL) AND
    (destinations = '{}') AND (destinations_changed_at IS NULL));
CREATE POLICY directory ON payout_accounts FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON payout_accounts TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON payout_accounts TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY replaced ON payout_accounts AS RESTRICTIVE FOR UPDATE TO porchlight_app USING (NOT connected)
    WITH CHECK ((NOT charges_enabled) AND (NOT payouts_enabled) AND (NOT details_submitted) AND (checked_at IS NULL));
GRANT SELECT, INSERT, UPDATE, DELETE ON payout_accounts TO porchlight_app, porchlight_overseer;

-- == plans ============================================================================================================

-- Plans that users have without paying, until a time. Requests read them; only the service role writes them.
CREATE TABLE plan_grants (
    user_id uuid NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    plan text NOT NULL,
    until timestamptz NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_plan_grants PRIMARY KEY (user_id, id),
    CONSTRAINT fk_plan_grants_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_plan_grants_plan CHECK (plan IN ('skill-sharer', 'premium-angel'))
);
ALTER TABLE plan_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON plan_grants TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON plan_grants FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON plan_grants TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON plan_grants TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON plan_grants TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON plan_grants TO porchlight_overseer;

-- Paid plans, as last fetched from the payment provider. Requests read them; only the service role writes them.
CREATE TABLE subscriptions (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    plan text NOT NULL,
    interval text NOT NULL,
    sub_id text,
    state text NOT NULL DEFAULT 'incomplete',
    period_end timestamptz,
    cancel_at_end boolean NOT NULL DEFAULT false,
    next_plan text,
    past_due_since timestamptz,
    right_until timestamptz,
    checked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    next_interval text,
    period_start timestamptz,
    item_id text NOT NULL DEFAULT '',
    schedule_id text NOT NULL DEFAULT '',
    card_brand text NOT NULL DEFAULT '',
    card_last4 text NOT NULL DEFAULT '',
    is_stray boolean NOT NULL DEFAULT false,
    CONSTRAINT pk_subscriptions PRIMARY KEY (user_id, id),
    CONSTRAINT uq_subscriptions_sub_id UNIQUE (sub_id),
    CONSTRAINT fk_subscriptions_user_id FOREIGN KEY (user_id) REFERENCES users (user_id),
    CONSTRAINT ck_subscriptions_interval CHECK (interval IN ('month', 'year')),
    CONSTRAINT ck_subscriptions_next_interval CHECK (next_interval IN ('month', 'year')),
    CONSTRAINT ck_subscriptions_next_plan CHECK (next_plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_subscriptions_past_due CHECK (state <> 'past_due' OR past_due_since IS NOT NULL),
    CONSTRAINT ck_subscriptions_plan CHECK (plan IN ('skill-sharer', 'premium-angel')),
    CONSTRAINT ck_subscriptions_state CHECK (state IN ('incomplete', 'active', 'past_due', 'unpaid', 'canceled',
        'gone'))
);
CREATE UNIQUE INDEX uq_subscriptions_current ON subscriptions (user_id)
    WHERE state IN ('incomplete', 'active', 'past_due');
ALTER TABLE subscriptions ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscriptions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON subscriptions TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON subscriptions FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON subscriptions TO porchlight_owner USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON subscriptions TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON subscriptions TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON subscriptions TO porchlight_overseer;

-- == porch_lights =====================================================================================================

-- Angels and gurus who are free this evening. A light goes out by itself; its location is the center of a grid cell.
CREATE TABLE porch_lights (
    user_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    city text NOT NULL DEFAULT '',
    latitude double precision,
    longitude double precision,
    turned_on_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_porch_lights PRIMARY KEY (user_id),
    CONSTRAINT fk_porch_lights_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_porch_lights_location CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE INDEX ix_porch_lights_expires_at ON porch_lights (expires_at);
CREATE INDEX ix_porch_lights_turned_on_at ON porch_lights (turned_on_at DESC, user_id);
ALTER TABLE porch_lights ENABLE ROW LEVEL SECURITY;
ALTER TABLE porch_lights FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON porch_lights TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON porch_lights FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON porch_lights TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON porch_lights TO porchlight_app, porchlight_overseer;

-- == previews =========================================================================================================

-- Unsaved changes of a site, to be shown in the editor's preview.
CREATE TABLE site_previews (
    tenant_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    page text NOT NULL,
    changes jsonb NOT NULL,
    framed_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_site_previews PRIMARY KEY (tenant_id, secret_hash),
    CONSTRAINT fk_site_previews_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE site_previews ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_previews FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_previews TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON site_previews TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_previews TO porchlight_app, porchlight_overseer;

-- == profiles =========================================================================================================

-- Profile photos, public to everyone who has the id.
CREATE TABLE profile_photos (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_profile_photos PRIMARY KEY (user_id, id),
    CONSTRAINT uq_profile_photos_id UNIQUE (id),
    CONSTRAINT fk_profile_photos_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE
);
ALTER TABLE profile_photos ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE profile_photos ENABLE ROW LEVEL SECURITY;
ALTER TABLE profile_photos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profile_photos TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON profile_photos FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON profile_photos TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON profile_photos TO porchlight_app, porchlight_overseer;

-- What a user tells others. `skills_offered` and `skills_wanted` are the source of skill_offers and skill_wants.
CREATE TABLE profiles (
    user_id uuid NOT NULL,
    handle text NOT NULL,
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
    created_at timestamptz NOT NULL DEFAULT app.now(),
    updated_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_profiles PRIMARY KEY (user_id),
    CONSTRAINT uq_profiles_handle UNIQUE (handle),
    CONSTRAINT fk_profiles_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_profiles_handle CHECK (handle ~ '^[a-z0-9](-?[a-z0-9]){2,39}$')
);
CREATE INDEX ix_profiles_display_name_start ON profiles (lower(left(display_name, 2)));
CREATE INDEX ix_profiles_display_name_trgm ON profiles USING gin (display_name gin_trgm_ops);
CREATE INDEX ix_profiles_handle_start ON profiles (lower(left(handle, 2)));
CREATE INDEX ix_profiles_handle_trgm ON profiles USING gin (handle gin_trgm_ops);
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profiles TO porchlight_app USING (user_id = app.user_id()) WITH CHECK (user_id = app.user_id());
CREATE POLICY directory ON profiles FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY overseer ON profiles TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON profiles TO porchlight_app, porchlight_overseer;

-- == reports ==========================================================================================================

-- Reports about sites, posts, profiles and listings. `guru_id` is the owner of a site or post, `subject_id` what is
-- reported and `subject_name` how a URL names it.
-- Requests create it by app.create_report; only admins read it.
-- subject_name: the subject in URLs (label, label/slug, handle); subject_title: its title when it was reported;
-- guru_id: the guru of a site or post. address_hash and network_hash: keyed hashes of the reporter's network address,
-- or of a verified user, for limits only; digest distinguishes a resend from another report under the same key.
CREATE TABLE reports (
    id uuid NOT NULL,
    subject_kind text NOT NULL,
    subject_id uuid NOT NULL,
    subject_name text NOT NULL,
    subject_title text NOT NULL,
    guru_id uuid,
    reason text NOT NULL,
    details text NOT NULL DEFAULT '',
    reporter_id uuid,
    address_hash bytea NOT NULL,
    idempotency_key text NOT NULL,
    digest bytea NOT NULL,
    status text NOT NULL DEFAULT 'open',
    outcome text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    resolved_by text NOT NULL DEFAULT '',
    resolved_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    network_hash bytea,
    evidence jsonb,
    CONSTRAINT pk_reports PRIMARY KEY (id),
    CONSTRAINT uq_reports_idempotency_key UNIQUE (idempotency_key),
    CONSTRAINT fk_reports_guru_id FOREIGN KEY (guru_id) REFERENCES gurus (id) ON DELETE SET NULL,
    CONSTRAINT fk_reports_reporter_id FOREIGN KEY (reporter_id) REFERENCES users (user_id) ON DELETE SET NULL,
    CONSTRAINT ck_reports_outcome CHECK ((status = 'open') = (outcome = '')),
    CONSTRAINT ck_reports_resolved CHECK ((status = 'open') = (resolved_at IS NULL)),
    CONSTRAINT ck_reports_status CHECK (status IN ('open', 'resolved')),
    CONSTRAINT ck_reports_subject_kind CHECK (subject_kind IN ('site', 'post', 'profile', 'listing', 'thread',
        'review'))
);
CREATE INDEX ix_reports_address_hash_created_at ON reports (address_hash, created_at);
CREATE INDEX ix_reports_created_at ON reports (created_at);
CREATE INDEX ix_reports_guru_id ON reports (guru_id);
CREATE INDEX ix_reports_reporter_id ON reports (reporter_id);
CREATE INDEX ix_reports_status ON reports (status, id);
CREATE INDEX ix_reports_subject ON reports (subject_kind, subject_id);
CREATE INDEX ix_reports_subject_name_trgm ON reports USING gin (subject_name gin_trgm_ops);
GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO porchlight_overseer;

-- == reviews ==========================================================================================================

-- A review of a session: side person is about the guru, side guru about the person. Hidden from the other side until
-- reveals_at, and from everyone else until published_at. address_hash links accounts of one device for the score.
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
    CONSTRAINT ck_reviews_private_note CHECK (private_note = '' OR side = 'person' AND length(private_note) <= 2000),
    CONSTRAINT ck_reviews_removed CHECK ((removed_at IS NULL) = (removed_why = '')),
    CONSTRAINT ck_reviews_side CHECK (side IN ('person', 'guru')),
    CONSTRAINT ck_reviews_stars CHECK (stars BETWEEN 1 AND 5),
    CONSTRAINT ck_reviews_words CHECK (length(body) <= 2000 AND length(reply) <= 2000)
);
CREATE INDEX ix_reviews_id ON reviews (id) WHERE published_at IS NOT NULL;
CREATE INDEX ix_reviews_person_id ON reviews (person_id);
CREATE INDEX ix_reviews_reveals_at ON reviews (reveals_at) WHERE published_at IS NULL;
CREATE INDEX ix_reviews_tenant_id_reveals_at ON reviews (tenant_id, reveals_at, id);
ALTER TABLE reviews ENABLE ROW LEVEL SECURITY;
ALTER TABLE reviews FORCE ROW LEVEL SECURITY;
CREATE POLICY blind ON reviews AS RESTRICTIVE TO porchlight_app USING ((reveals_at <= app.now()) OR ((side = 'person')
    AND (person_id = app.user_id())) OR ((side = 'guru') AND (tenant_id = app.acting_tenant_id())));
CREATE POLICY directory ON reviews FOR SELECT TO porchlight_owner USING (true);
CREATE POLICY founding ON reviews TO porchlight_owner USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON reviews TO porchlight_overseer USING (true) WITH CHECK (true);
CREATE POLICY parties ON reviews TO porchlight_app USING ((tenant_id = app.acting_tenant_id()) OR (person_id =
    app.user_id()))
    WITH CHECK ((tenant_id = app.acting_tenant_id()) OR (person_id = app.user_id()));
CREATE POLICY replies ON reviews AS RESTRICTIVE FOR UPDATE TO porchlight_app USING ((reveals_at <= app.now()) AND
    (((side = 'person') AND (tenant_id = app.acting_tenant_id())) OR ((side = 'guru') AND (person_id =
    app.user_id()))));
GRANT SELECT ON reviews TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON reviews TO porchlight_overseer;
GRANT UPDATE (reply, replied_at) ON reviews TO porchlight_app;

-- == risk =============================================================================================================

-- Scores of the risk classifier for texts of listings, by the hash of the classifier's name and the text.
-- digest is the hash of the classifier's name and the normalized words. Deleted after a while, and computed again.
CREATE TABLE risk_scores (
    digest bytea NOT NULL,
    score real NOT NULL,
    created_on date NOT NULL DEFAULT app.now()::date,
    CONSTRAINT pk_risk_scores PRIMARY KEY (digest)
);
GRANT SELECT ON risk_scores TO porchlight_app;
GRANT SELECT, DELETE ON risk_scores TO porchlight_overseer;

-- Activities that the risk engine does not know, for staff to rate. `occurrences` counts how often one came up.
-- asked_by is the user who asked about it, unless others asked too; the review is deleted with the account. category is
-- blank for the titles of listings. digest is the hash of the normalized words, so each activity is in the queue once.
-- level is the decision. Only staff sees note.
CREATE TABLE risk_reviews (
    id uuid NOT NULL,
    category text NOT NULL,
    activity text NOT NULL,
    digest bytea NOT NULL,
    occurrences integer NOT NULL DEFAULT 1,
    level text,
    first_seen_at timestamptz NOT NULL DEFAULT app.now(),
    last_seen_at timestamptz NOT NULL DEFAULT app.now(),
    note text NOT NULL DEFAULT '',
    decided_by text NOT NULL DEFAULT '',
    decided_at timestamptz,
    asked_by uuid,
    CONSTRAINT pk_risk_reviews PRIMARY KEY (id),
    CONSTRAINT uq_risk_reviews_digest UNIQUE (digest),
    CONSTRAINT fk_risk_reviews_asked_by FOREIGN KEY (asked_by) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_risk_reviews_decided CHECK ((level IS NULL) = (decided_at IS NULL)),
    CONSTRAINT ck_risk_reviews_level CHECK (level IN ('low', 'medium', 'high', 'extreme'))
);
CREATE INDEX ix_risk_reviews_asked_by ON risk_reviews (asked_by);
CREATE INDEX ix_risk_reviews_decided ON risk_reviews (decided_at, id) WHERE level IS NOT NULL;
CREATE INDEX ix_risk_reviews_last_seen_at ON risk_reviews (last_seen_at);
CREATE INDEX ix_risk_reviews_waiting ON risk_reviews (occurrences DESC, id) WHERE level IS NULL;
GRANT SELECT, UPDATE, DELETE ON risk_reviews TO porchlight_overseer;
GRANT SELECT (digest, level) ON risk_reviews TO porchlight_app;

-- Reviews of a service's risk that gurus asked for. service: its name at that time. digest: of the activity.
-- level: the rating with which staff answered.
CREATE TABLE risk_review_requests (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    guru_id uuid NOT NULL,
    service_id uuid NOT NULL,
    digest bytea NOT NULL,
    service text NOT NULL,
    sentence text NOT NULL,
    level text,
    asked_at timestamptz NOT NULL DEFAULT app.now(),
    answered_at timestamptz,
    CONSTRAINT pk_risk_review_requests PRIMARY KEY (user_id, id),
    CONSTRAINT fk_risk_review_requests_guru_id_service_id FOREIGN KEY (guru_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_risk_review_requests_user_id FOREIGN KEY (user_id) REFERENCES users (user_id) ON DELETE CASCADE,
    CONSTRAINT ck_risk_review_requests_answered CHECK ((level IS NULL) = (answered_at IS NULL)),
    CONSTRAINT ck_risk_review_requests_level CHECK (level IN ('low', 'medium', 'high', 'extreme')),
    CONSTRAINT ck_risk_review_requests_sentence CHECK (char_length(sentence) BETWEEN 1 AND 300)
);
CREATE INDEX ix_risk_review_requests_digest ON risk_review_requests (digest);
CREATE INDEX ix_risk_review_requests_guru_id_service_id ON risk_review_requests (guru_id, service_id);
CREATE UNIQUE INDEX uq_risk_review_requests_open ON risk_review_requests (user_id, service_id, digest)
    WHERE answered_at IS NULL;
ALTER TABLE risk_review_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE risk_review_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON risk_review_requests TO porchlight_app USING (user_id = app.user_id())
    WITH CHECK (user_id = app.user_id());
CREATE POLICY overseer ON risk_review_requests TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON risk_review_requests TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON risk_review_requests TO porchlight_overseer;

-- == settlement =======================================================================================================

-- Differences between Stripe and the ledger, in cents: Stripe's amount less ours.
CREATE TABLE findings (
    id uuid NOT NULL,
    kind text NOT NULL,
    account text NOT NULL DEFAULT '',
    stripe_id text NOT NULL,
    transaction_id uuid,
    cents bigint NOT NULL,
    state text NOT NULL DEFAULT 'open',
    note text NOT NULL DEFAULT '',
    by text NOT NULL DEFAULT '',
    found_at timestamptz NOT NULL DEFAULT app.now(),
    seen_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_findings PRIMARY KEY (id),
    CONSTRAINT uq_findings_kind_account_stripe_id UNIQUE (kind, account, stripe_id),
    CONSTRAINT ck_findings_kind CHECK (kind IN ('missing_at_stripe', 'missing_here', 'amount_differs', 'unknown_line',
        'balance_differs', 'stuck_outbox', 'failed_event', 'failed_refund', 'stuck_transfer')),
    CONSTRAINT ck_findings_state CHECK (state IN ('open', 'explained', 'gone'))
);
CREATE INDEX ix_findings_open ON findings (found_at) WHERE state = 'open';
GRANT SELECT, INSERT, UPDATE, DELETE ON findings TO porchlight_overseer;

-- Finished runs of the comparison with Stripe.
CREATE TABLE reconciliations (
    id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT app.now(),
    lines integer NOT NULL,
    open_findings integer NOT NULL,
    off_cents bigint NOT NULL,
    off_accounts integer NOT NULL,
    CONSTRAINT pk_reconciliations PRIMARY KEY (id)
);
CREATE INDEX ix_reconciliations_finished_at ON reconciliations (finished_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON reconciliations TO porchlight_overseer;

-- Lines of Stripe's balances: of the platform (no account) and connected accounts.
-- A line of a Stripe balance: of the platform (account is empty) or a connected account.
-- object_id: the object of Stripe that the ledger posts the movement for; for a payment that a transfer made, the
-- transfer.
CREATE TABLE stripe_balance_lines (
    account text NOT NULL,
    id text NOT NULL,
    type text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL,
    net bigint NOT NULL,
    source text NOT NULL DEFAULT '',
    object_id text NOT NULL,
    created timestamptz NOT NULL,
    available_on timestamptz NOT NULL,
    CONSTRAINT pk_stripe_balance_lines PRIMARY KEY (account, id),
    CONSTRAINT ck_stripe_balance_lines_net CHECK (net = (amount - fee))
);
CREATE INDEX ix_stripe_balance_lines_created ON stripe_balance_lines (created);
CREATE INDEX ix_stripe_balance_lines_object_id_account ON stripe_balance_lines (object_id, account);
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_balance_lines TO porchlight_overseer;

-- Events of Stripe, each stored once.
-- body is deleted after 90 days. Rows from before the inbox have neither a body nor a mode.
CREATE TABLE stripe_inbox (
    id text NOT NULL,
    endpoint text NOT NULL,
    account text NOT NULL DEFAULT '',
    kind text NOT NULL,
    object_id text NOT NULL DEFAULT '',
    livemode boolean,
    created timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT app.now(),
    body bytea,
    state text NOT NULL DEFAULT 'new',
    due_at timestamptz NOT NULL DEFAULT app.now(),
    tries integer NOT NULL DEFAULT 0,
    error text NOT NULL DEFAULT '',
    CONSTRAINT pk_stripe_inbox PRIMARY KEY (id),
    CONSTRAINT ck_stripe_inbox_endpoint CHECK (endpoint IN ('platform', 'connect')),
    CONSTRAINT ck_stripe_inbox_state CHECK (state IN ('new', 'done', 'ignored', 'failed'))
);
CREATE INDEX ix_stripe_inbox_due_at ON stripe_inbox (due_at) WHERE state = 'new';
CREATE INDEX ix_stripe_inbox_received_at ON stripe_inbox (received_at);
CREATE INDEX ix_stripe_inbox_state ON stripe_inbox (state, received_at, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_inbox TO porchlight_overseer;

-- Changes at Stripe that were decided, with their outcomes. Only the worker sends them.
-- lane has one call in flight: it is the connected account, or for a write of the platform its subject. ready and
-- unknown rows are sent at due_at; a sent row is on its way until lease_until, and its outcome is unknown afterwards.
-- lookup: repeating the request cannot tell the outcome, only a search can.
CREATE TABLE stripe_outbox (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    attempt integer NOT NULL,
    account text NOT NULL DEFAULT '',
    lane text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    params jsonb NOT NULL,
    api_version text NOT NULL DEFAULT '',
    state text NOT NULL DEFAULT 'ready',
    created_at timestamptz NOT NULL DEFAULT app.now(),
    due_at timestamptz NOT NULL DEFAULT app.now(),
    first_sent_at timestamptz,
    lease_until timestamptz,
    lookup boolean NOT NULL DEFAULT false,
    tries integer NOT NULL DEFAULT 0,
    object_id text NOT NULL DEFAULT '',
    error_code text NOT NULL DEFAULT '',
    error_message text NOT NULL DEFAULT '',
    settled_at timestamptz,
    CONSTRAINT pk_stripe_outbox PRIMARY KEY (id),
    CONSTRAINT uq_stripe_outbox_kind_subject_id_attempt UNIQUE (kind, subject_id, attempt),
    CONSTRAINT ck_stripe_outbox_sent CHECK (state <> 'sent' OR first_sent_at IS NOT NULL AND lease_until IS NOT NULL),
    CONSTRAINT ck_stripe_outbox_state CHECK (state IN ('ready', 'sent', 'done', 'refused', 'unknown', 'absent'))
);
CREATE INDEX ix_stripe_outbox_due_at ON stripe_outbox (due_at) WHERE state IN ('ready', 'sent', 'unknown');
CREATE UNIQUE INDEX uq_stripe_outbox_in_flight ON stripe_outbox (lane) WHERE state = 'sent';
GRANT SELECT, INSERT, UPDATE, DELETE ON stripe_outbox TO porchlight_overseer;

-- == site_reviews =====================================================================================================

-- The published reviews of a guru: how many have 1 to 5 stars, the same by service, and the score that orders lists.
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

-- == stats ============================================================================================================

-- One random salt per day, to count visitors without storing addresses.
CREATE TABLE daily_salts (
    day date NOT NULL,
    salt bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT app.now(),
    CONSTRAINT pk_daily_salts PRIMARY KEY (day)
);
GRANT SELECT, INSERT ON daily_salts TO porchlight_app;
GRANT SELECT, INSERT, DELETE ON daily_salts TO porchlight_overseer;

-- Visitors of a site per day.
CREATE TABLE daily_visits (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    visitors bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_daily_visits PRIMARY KEY (tenant_id, day),
    CONSTRAINT fk_daily_visits_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE daily_visits ENABLE ROW LEVEL SECURITY;
ALTER TABLE daily_visits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON daily_visits TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON daily_visits TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON daily_visits TO porchlight_app, porchlight_overseer;

-- What visitors weigh before they ask a guru, counted by the worker.
-- The worker counts them (porchlight/worker/guru_facts.py).
-- answer_minutes is the median time to the first answer; NULL with too few answers. review has the keys of OwnerReview.
CREATE TABLE guru_facts (
    tenant_id uuid NOT NULL,
    answer_minutes integer,
    sessions integer NOT NULL DEFAULT 0,
    counted_at timestamptz NOT NULL DEFAULT app.now(),
    review jsonb,
    CONSTRAINT pk_guru_facts PRIMARY KEY (tenant_id),
    CONSTRAINT fk_guru_facts_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT ck_guru_facts_answer_minutes CHECK (answer_minutes > 0),
    CONSTRAINT ck_guru_facts_sessions CHECK (sessions >= 0)
);
ALTER TABLE guru_facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE guru_facts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON guru_facts TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON guru_facts TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT ON guru_facts TO porchlight_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON guru_facts TO porchlight_overseer;

-- Who already counted as a visitor or reader today, as salted hashes.
CREATE TABLE view_fingerprints (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    subject_id uuid NOT NULL,
    visitor bytea NOT NULL,
    CONSTRAINT pk_view_fingerprints PRIMARY KEY (tenant_id, day, subject_id, visitor),
    CONSTRAINT fk_view_fingerprints_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE
);
ALTER TABLE view_fingerprints ENABLE ROW LEVEL SECURITY;
ALTER TABLE view_fingerprints FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON view_fingerprints TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON view_fingerprints TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON view_fingerprints TO porchlight_app, porchlight_overseer;
