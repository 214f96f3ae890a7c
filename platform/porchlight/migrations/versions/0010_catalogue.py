"""The catalogue of skills, suggestions while one types, activities to be rated, Angel's List."""

from __future__ import annotations

from alembic import op

from tenants.roles import APP, OVERSEER

revision = "0010"
down_revision = "0002"
branch_labels = None
depends_on = None

# What the tables hold of the product's own data comes from its files: `porchlight migrate` plants it afterwards.
TABLES = f"""
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

CREATE TABLE skill_categories (
    slug text CONSTRAINT pk_skill_categories PRIMARY KEY,
    name text NOT NULL CONSTRAINT uq_skill_categories_name UNIQUE,
    position integer NOT NULL,
    risk_level text NOT NULL,
    popular boolean NOT NULL,
    coming_soon boolean NOT NULL,
    requires_license boolean NOT NULL,
    requires_gl boolean NOT NULL,
    requires_auto_insurance boolean NOT NULL,
    notes text NOT NULL,
    CONSTRAINT ck_skill_categories_risk_level CHECK (risk_level IN ('low', 'medium', 'high', 'extreme'))
);

CREATE TABLE skill_needles (
    category_slug text NOT NULL CONSTRAINT fk_skill_needles_category_slug
        REFERENCES skill_categories (slug) ON DELETE CASCADE,
    name text NOT NULL,
    needle text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    popular boolean NOT NULL,
    CONSTRAINT pk_skill_needles PRIMARY KEY (category_slug, name, needle)
);
CREATE INDEX ix_skill_needles_needle ON skill_needles (needle);
CREATE INDEX ix_skill_needles_letters ON skill_needles (letters);
CREATE INDEX ix_skill_needles_needle_trgm ON skill_needles USING gin (needle gin_trgm_ops);

CREATE TABLE risk_reviews (
    id uuid CONSTRAINT pk_risk_reviews PRIMARY KEY,
    category text NOT NULL,
    activity text NOT NULL,
    digest bytea NOT NULL CONSTRAINT uq_risk_reviews_digest UNIQUE,
    seen integer NOT NULL DEFAULT 1,
    level text,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_risk_reviews_level CHECK (level IN ('low', 'medium', 'high', 'extreme'))
);
CREATE INDEX ix_risk_reviews_last_seen_at ON risk_reviews (last_seen_at);

CREATE TABLE angel_services (
    id text CONSTRAINT pk_angel_services PRIMARY KEY,
    title text NOT NULL,
    description text NOT NULL,
    avg_price_cents integer NOT NULL,
    providers integer NOT NULL,
    rating numeric(2, 1) NOT NULL,
    city text NOT NULL,
    category text NOT NULL,
    position integer NOT NULL,
    CONSTRAINT ck_angel_services_avg_price CHECK (avg_price_cents >= 0),
    CONSTRAINT ck_angel_services_providers CHECK (providers >= 0),
    CONSTRAINT ck_angel_services_rating CHECK (rating BETWEEN 0 AND 5)
);
CREATE INDEX ix_angel_services_position ON angel_services (position);

GRANT SELECT ON skill_categories, skill_needles, angel_services TO {APP}, {OVERSEER};
GRANT SELECT, UPDATE, DELETE ON risk_reviews TO {OVERSEER};
"""

# What a person may mean who has typed this much. A needle that begins so comes first; otherwise one or two slips are
# forgiven (two letters swapped count as two edits), in the whole needle or in as much of it as was typed. Words too
# short for trigrams to survive a slip are compared one by one; there are never many of them. The threshold is set
# here rather than with the function, which no plain role could restore from a dump.
SUGGEST = f"""
CREATE FUNCTION app.suggest_skills(typed text, most integer) RETURNS TABLE (name text, category text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  long integer := length(typed);
  slips integer := CASE WHEN length(typed) < 4 THEN 1 WHEN length(typed) < 6 THEN 3 ELSE 4 END;
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.3', true);
  RETURN QUERY
  WITH near AS (
    SELECT n.name, n.category_slug, n.popular,
           CASE WHEN n.needle = typed THEN 0.0
                WHEN n.needle ^@ typed THEN 0.5
                ELSE least(1.0 + levenshtein_less_equal(typed, n.needle, slips),
                           1.5 + levenshtein_less_equal(typed, left(n.needle, long), slips))
           END + CASE WHEN length(n.needle) < length(n.name) THEN 0.25 ELSE 0.0 END
               - 2.0 * similarity(typed, n.needle) AS cost
      FROM skill_needles n
     WHERE n.needle ^@ typed
        OR (long >= 3 AND (typed <%% n.needle OR n.letters BETWEEN long - 2 AND least(long + 2, 8)))
  ), best AS (
    SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
      FROM near n GROUP BY n.name, n.category_slug
  )
  SELECT b.name, c.name FROM best b JOIN skill_categories c ON c.slug = b.category_slug
   WHERE b.cost <= 1.5 + slips AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + 2.25
   ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT most;
END $$;
REVOKE ALL ON FUNCTION app.suggest_skills(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.suggest_skills(text, integer) TO {APP}, {OVERSEER};
"""

# A request may put an activity in and learns nothing of the queue. It never holds more than 10,000 open ones:
# then the next one is told as usual, and the queue stays as it is.
REVIEW = f"""
CREATE FUNCTION app.ask_risk_review(new_id uuid, of_category text, of_activity text, of_digest bytea) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE risk_reviews SET seen = least(seen, 1000000) + 1, last_seen_at = now() WHERE digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT 10000) open) < 10000 THEN
    INSERT INTO risk_reviews (id, category, activity, digest)
    VALUES (new_id, of_category, of_activity, of_digest) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.ask_risk_review(uuid, text, text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.ask_risk_review(uuid, text, text, bytea) TO {APP}, {OVERSEER};
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(TABLES)
    run(SUGGEST)
    run(REVIEW)


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("DROP FUNCTION app.ask_risk_review(uuid, text, text, bytea)")
    run("DROP FUNCTION app.suggest_skills(text, integer)")
    run("DROP TABLE angel_services, risk_reviews, skill_needles, skill_categories")
