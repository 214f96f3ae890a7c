"""Angel's List alive: neighbours who help, what others need, what is offered for it."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

# Places are the middles of coarse cells (porchlight/cells.py): no exact place is ever stored.
TABLES = """
ALTER TABLE angel_services ADD COLUMN keywords text[] NOT NULL DEFAULT '{}';

CREATE TABLE angels (
    user_id uuid NOT NULL CONSTRAINT fk_angels_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    service_id text NOT NULL CONSTRAINT fk_angels_service_id REFERENCES angel_services (id) ON DELETE CASCADE,
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
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_angels PRIMARY KEY (user_id, service_id),
    CONSTRAINT ck_angels_rate CHECK (rate_cents BETWEEN 100 AND 50000),
    CONSTRAINT ck_angels_days CHECK (cardinality(days) BETWEEN 1 AND 7 AND days <@ '{1,2,3,4,5,6,7}'),
    CONSTRAINT ck_angels_radius CHECK (radius_miles BETWEEN 1 AND 50),
    CONSTRAINT ck_angels_mails CHECK (mails_a_day BETWEEN 0 AND 20),
    CONSTRAINT ck_angels_ratings CHECK (ratings >= 0 AND rating_sum BETWEEN ratings AND 5 * ratings)
);
CREATE INDEX ix_angels_service_id_latitude ON angels (service_id, latitude) WHERE active;

CREATE TABLE needs (
    user_id uuid NOT NULL CONSTRAINT fk_needs_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL CONSTRAINT uq_needs_id UNIQUE,
    service_id text NOT NULL CONSTRAINT fk_needs_service_id REFERENCES angel_services (id),
    title text NOT NULL,
    description text NOT NULL,
    asked_user_id uuid,
    wanted_from date NOT NULL,
    wanted_until date NOT NULL,
    time_note text NOT NULL DEFAULT '',
    hours numeric(4, 1) NOT NULL,
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
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_needs PRIMARY KEY (user_id, id),
    CONSTRAINT uq_needs_user_id_idempotency_key UNIQUE (user_id, idempotency_key),
    CONSTRAINT ck_needs_status CHECK (status IN ('open', 'accepted', 'done', 'withdrawn', 'expired')),
    CONSTRAINT ck_needs_accepted CHECK ((status IN ('accepted', 'done')) = (accepted_offer_id IS NOT NULL)),
    CONSTRAINT ck_needs_accepted_user CHECK ((accepted_user_id IS NULL) = (accepted_offer_id IS NULL)),
    CONSTRAINT ck_needs_days CHECK (wanted_from <= wanted_until),
    CONSTRAINT ck_needs_hours CHECK (hours BETWEEN 0.5 AND 80),
    CONSTRAINT ck_needs_budget CHECK (budget_cents BETWEEN 100 AND 1000000),
    CONSTRAINT ck_needs_rating CHECK (rating BETWEEN 1 AND 5 AND status = 'done')
);
CREATE INDEX ix_needs_service_id_id ON needs (service_id, id) WHERE status = 'open';
CREATE INDEX ix_needs_expires_at ON needs (expires_at) WHERE status = 'open';
CREATE INDEX ix_needs_accepted_user_id ON needs (accepted_user_id) WHERE accepted_user_id IS NOT NULL;

CREATE TABLE need_photos (
    user_id uuid NOT NULL,
    need_id uuid NOT NULL,
    id uuid NOT NULL CONSTRAINT uq_need_photos_id UNIQUE,
    position smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_need_photos PRIMARY KEY (user_id, need_id, id),
    CONSTRAINT fk_need_photos_need FOREIGN KEY (user_id, need_id) REFERENCES needs (user_id, id) ON DELETE CASCADE
);
ALTER TABLE need_photos ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE need_offers (
    user_id uuid NOT NULL CONSTRAINT fk_need_offers_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL CONSTRAINT uq_need_offers_id UNIQUE,
    need_id uuid NOT NULL,
    price_cents integer NOT NULL,
    message text NOT NULL,
    status text NOT NULL DEFAULT 'open',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_need_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_need_offers_user_id_need_id UNIQUE (user_id, need_id),
    CONSTRAINT ck_need_offers_price CHECK (price_cents BETWEEN 0 AND 1000000),
    CONSTRAINT ck_need_offers_status CHECK (status IN ('open', 'withdrawn'))
);
CREATE INDEX ix_need_offers_need_id ON need_offers (need_id);

CREATE TABLE need_notices (
    user_id uuid NOT NULL CONSTRAINT fk_need_notices_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    need_id uuid NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_need_notices PRIMARY KEY (user_id, need_id)
);
CREATE INDEX ix_need_notices_user_id_sent_at ON need_notices (user_id, sent_at);
"""

# What others may see, and no more: profiles that are public, coarse places, whole miles.
HELPERS = """
CREATE FUNCTION app.miles(a double precision, b double precision, c double precision, d double precision)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN greatest(1, round(7917.5 * asin(least(1, sqrt(
  sin(radians(c - a) / 2) ^ 2 + cos(radians(a)) * cos(radians(c)) * sin(radians(d - b) / 2) ^ 2))))::integer);

CREATE FUNCTION app.angel_score(ratings integer, rating_sum integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (rating_sum + 3 * 4.5) / (ratings + 3);

CREATE FUNCTION app.neighbour_shown(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN p.is_public AND p.registered_at IS NOT NULL
           THEN jsonb_build_object('handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
                                   'photo_url', p.photo_url)
           ELSE jsonb_build_object('handle', NULL, 'name', p.first_name, 'photo_id', NULL, 'photo_url', '') END
    FROM profiles p JOIN users u ON u.user_id = p.user_id WHERE p.user_id = wanted AND u.status = 'active'
$$;

CREATE FUNCTION app.angel_stats()
RETURNS TABLE (service_id text, city text, angels integer, rate_sum bigint, ratings bigint, rating_sum bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.service_id, a.city, count(*)::integer, sum(a.rate_cents), sum(a.ratings), sum(a.rating_sum)
    FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
   WHERE a.active AND p.is_public AND u.status = 'active'
   GROUP BY a.service_id, a.city ORDER BY count(*) DESC, a.city LIMIT 1000
$$;

CREATE FUNCTION app.angels_for(
  service text, in_city text, near_latitude double precision, near_longitude double precision,
  after_miles integer, after_score double precision, after_handle text, most integer)
RETURNS TABLE (handle text, miles integer, score double precision, shown jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.handle, f.miles, f.score, jsonb_build_object(
           'handle', f.handle, 'name', f.display_name, 'photo_id', f.photo_id, 'photo_url', f.photo_url,
           'about', f.about, 'rate_cents', f.rate_cents, 'days', f.days, 'radius_miles', f.radius_miles,
           'city', f.city, 'region', f.region, 'jobs', f.jobs, 'ratings', f.ratings, 'rating_sum', f.rating_sum,
           'mine', f.user_id = app.uid())
    FROM (SELECT a.*, p.handle, p.display_name, p.photo_id, p.photo_url,
                 app.angel_score(a.ratings, a.rating_sum) AS score,
                 CASE WHEN near_latitude IS NULL THEN 0
                      ELSE app.miles(near_latitude, near_longitude, a.latitude, a.longitude) END AS miles
            FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
           WHERE a.service_id = service AND a.active AND p.is_public AND u.status = 'active'
             AND (in_city = '' OR lower(a.city) = in_city)) f
   WHERE after_handle IS NULL OR (f.miles, -f.score, f.handle) > (after_miles, -after_score, after_handle)
   ORDER BY f.miles, -f.score, f.handle LIMIT most
$$;

-- The middle half of what angels nearby ask an hour; of all angels where fewer than three are near.
CREATE FUNCTION app.fair_rates(service text, near_latitude double precision, near_longitude double precision)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT a.rate_cents, app.miles(near_latitude, near_longitude, a.latitude, a.longitude) <= 25 AS near
      FROM angels a JOIN users u ON u.user_id = a.user_id
     WHERE a.service_id = service AND a.active AND u.status = 'active'
  ), chosen AS (
    SELECT rate_cents, near FROM asked WHERE near OR (SELECT count(*) FROM asked WHERE near) < 3
  )
  SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY rate_cents),
         percentile_disc(0.75) WITHIN GROUP (ORDER BY rate_cents),
         count(*)::integer, coalesce(bool_and(near), false)
    FROM chosen HAVING count(*) > 0
$$;

-- A need as somebody signed in may see it: its owner, who was asked by name, who offered, and, while it is open and
-- nobody was asked by name, every neighbour. `miles` is from the viewer's own cell as an angel, if they have one.
CREATE FUNCTION app.need_card(n needs) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'id', n.id, 'service_id', n.service_id, 'title', n.title, 'description', n.description,
    'wanted_from', n.wanted_from, 'wanted_until', n.wanted_until, 'time_note', n.time_note, 'hours', n.hours,
    'budget_cents', n.budget_cents, 'low_cents', n.low_cents, 'high_cents', n.high_cents,
    'city', n.city, 'region', n.region, 'status', n.status, 'expires_at', n.expires_at, 'created_at', n.created_at,
    'rating', n.rating, 'review', n.review, 'accepted_offer_id', n.accepted_offer_id,
    'asked', CASE WHEN n.asked_user_id IS NOT NULL THEN app.neighbour_shown(n.asked_user_id) END,
    'asks_me', n.asked_user_id IS NOT DISTINCT FROM app.uid() AND app.uid() IS NOT NULL,
    'mine', n.user_id = app.uid(), 'neighbour', app.neighbour_shown(n.user_id),
    'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                FROM angels a WHERE a.user_id = app.uid()),
    'offers', (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open'),
    'photos', (SELECT coalesce(jsonb_agg(p.id ORDER BY p.position), '[]') FROM need_photos p
                WHERE p.user_id = n.user_id AND p.need_id = n.id))
$$;

CREATE FUNCTION app.may_see_need(n needs) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.uid() IS NOT NULL AND (
         n.user_id = app.uid() OR n.asked_user_id = app.uid()
         OR (n.status = 'open' AND n.expires_at > now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.uid() AND o.need_id = n.id))
$$;

CREATE FUNCTION app.need_shown(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.need_card(n) FROM needs n WHERE n.id = wanted AND app.may_see_need(n)
$$;

CREATE FUNCTION app.open_needs(service text, fitting boolean, before uuid, most integer)
RETURNS TABLE (id uuid, shown jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.id, app.need_card(n) FROM needs n
   WHERE n.status = 'open' AND n.expires_at > now() AND n.user_id <> app.uid()
     AND (n.asked_user_id IS NULL OR n.asked_user_id = app.uid())
     AND (service = '' OR n.service_id = service) AND (before IS NULL OR n.id < before)
     AND (NOT fitting OR n.asked_user_id = app.uid() OR EXISTS (
           SELECT FROM angels a WHERE a.user_id = app.uid() AND a.service_id = n.service_id AND a.active
              AND app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles))
   ORDER BY n.id DESC LIMIT most
$$;

-- Offers are for the need's owner to see, with what is public of who made them.
CREATE FUNCTION app.offers_of(need uuid) RETURNS TABLE (id uuid, shown jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, jsonb_build_object(
           'id', o.id, 'price_cents', o.price_cents, 'message', o.message, 'created_at', o.created_at,
           'accepted', o.id IS NOT DISTINCT FROM n.accepted_offer_id, 'angel', app.neighbour_shown(o.user_id),
           'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                       FROM angels a WHERE a.user_id = o.user_id),
           'jobs', coalesce((SELECT sum(a.jobs) FROM angels a WHERE a.user_id = o.user_id), 0),
           'ratings', coalesce((SELECT sum(a.ratings) FROM angels a WHERE a.user_id = o.user_id), 0),
           'rating_sum', coalesce((SELECT sum(a.rating_sum) FROM angels a WHERE a.user_id = o.user_id), 0))
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.id = need AND n.user_id = app.uid() AND o.status = 'open' AND u.status = 'active'
   ORDER BY o.id LIMIT 100
$$;

-- Whose an offer on one's own need is, once it may be accepted.
CREATE FUNCTION app.offerer(need uuid, offer uuid) RETURNS uuid
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.user_id FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.id = need AND n.user_id = app.uid() AND o.id = offer AND o.status = 'open' AND u.status = 'active'
$$;

-- How a need stands for who would offer: open, asked (somebody else by name), own, closed; nothing when unknown.
CREATE FUNCTION app.need_standing(need uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN n.user_id = app.uid() THEN 'own'
              WHEN n.asked_user_id <> app.uid() THEN 'asked'
              WHEN n.status = 'open' AND n.expires_at > now() THEN 'open'
              ELSE 'closed' END
    FROM needs n JOIN users u ON u.user_id = n.user_id WHERE n.id = need AND u.status = 'active'
$$;

CREATE FUNCTION app.need_photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.body FROM need_photos p JOIN needs n ON n.user_id = p.user_id AND n.id = p.need_id
   WHERE p.id = wanted AND app.may_see_need(n)
$$;

-- The neighbour of a handle, when they are an angel for a service.
CREATE FUNCTION app.angel_by_handle(wanted text, service text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.user_id FROM profiles p JOIN angels a ON a.user_id = p.user_id JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND a.service_id = service AND a.active AND u.status = 'active'
     AND a.user_id <> app.uid()
$$;
"""

FENCED = ("angels", "needs", "need_photos", "need_offers", "need_notices")
FUNCTIONS = (
    "app.neighbour_shown(uuid)",
    "app.angel_stats()",
    "app.angels_for(text, text, double precision, double precision, integer, double precision, text, integer)",
    "app.fair_rates(text, double precision, double precision)",
    "app.need_shown(uuid)",
    "app.open_needs(text, boolean, uuid, integer)",
    "app.offers_of(uuid)",
    "app.offerer(uuid, uuid)",
    "app.need_standing(uuid)",
    "app.need_photo(uuid)",
    "app.angel_by_handle(text, text)",
)
INNER = ("app.need_card(needs)", "app.may_see_need(needs)")
PLAIN = (
    "app.miles(double precision, double precision, double precision, double precision)",
    "app.angel_score(integer, integer)",
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    for table in FENCED:
        run(fence(table, key="user_id", setting="uid", directory=table != "need_notices"))
    run(HELPERS)
    for function in (*FUNCTIONS, *INNER):
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
    for function in FUNCTIONS:
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}, {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for function in (*FUNCTIONS, *INNER, *PLAIN):
        run(f"DROP FUNCTION {function}")
    run("DROP TABLE need_notices, need_offers, need_photos, needs, angels")
    run("ALTER TABLE angel_services DROP COLUMN keywords")
