"""Finding each other: phrases and how they relate, what neighbours offer and want, matches, swap rings."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

# Numbers rather than UUIDs: these rows are counted in the millions where they are joined, and belong to nobody.
PHRASES = f"""
CREATE TABLE phrases (
    id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_phrases PRIMARY KEY,
    words text NOT NULL CONSTRAINT uq_phrases_words UNIQUE,
    in_use boolean NOT NULL,
    related_by text,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ix_phrases_words_trgm ON phrases USING gin (words gin_trgm_ops);
CREATE INDEX ix_phrases_unrelated ON phrases (id) WHERE related_by IS NULL;

CREATE TABLE phrase_relations (
    phrase_id integer NOT NULL CONSTRAINT fk_phrase_relations_phrase_id REFERENCES phrases (id) ON DELETE CASCADE,
    other_id integer NOT NULL CONSTRAINT fk_phrase_relations_other_id REFERENCES phrases (id) ON DELETE CASCADE,
    fit real NOT NULL,
    CONSTRAINT pk_phrase_relations PRIMARY KEY (phrase_id, other_id),
    CONSTRAINT ck_phrase_relations_fit CHECK (fit > 0 AND fit < 1)
);
CREATE INDEX ix_phrase_relations_other_id ON phrase_relations (other_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON phrases, phrase_relations TO {OVERSEER};
"""

# Only where pgvector is there; without it matches go by words alone.
VECTORS = f"""
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN
    CREATE TABLE phrase_vectors (
        phrase_id integer CONSTRAINT pk_phrase_vectors PRIMARY KEY
            CONSTRAINT fk_phrase_vectors_phrase_id REFERENCES phrases (id) ON DELETE CASCADE,
        embedding vector(384) NOT NULL
    );
    CREATE INDEX ix_phrase_vectors_embedding ON phrase_vectors USING hnsw (embedding vector_cosine_ops);
    GRANT SELECT, INSERT, UPDATE, DELETE ON phrase_vectors TO {OVERSEER};
  END IF;
END $$;
"""

# A phrase is known by its folded words. Until the job has read its meaning it is related by its words, at once.
PHRASE = """
CREATE FUNCTION app.folded(said text) RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT left(btrim(regexp_replace(lower(unaccent(said)), '[[:space:]]+', ' ', 'g')), 120)
$$;

CREATE FUNCTION app.phrase(said text, used boolean) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  plain text := app.folded(said);
  found_id integer;
  was_used boolean;
BEGIN
  SELECT p.id, p.in_use INTO found_id, was_used FROM phrases p WHERE p.words = plain;
  IF FOUND AND (was_used OR NOT used) THEN
    RETURN found_id;
  END IF;
  IF found_id IS NULL THEN
    INSERT INTO phrases (words, in_use) VALUES (plain, used)
    ON CONFLICT (words) DO UPDATE SET in_use = phrases.in_use OR excluded.in_use
    RETURNING id INTO found_id;
  ELSE
    UPDATE phrases SET in_use = true, related_by = NULL WHERE id = found_id;
  END IF;
  PERFORM set_config('pg_trgm.similarity_threshold', '0.4', true);
  WITH near AS (
    SELECT p.id, CASE WHEN p.id = found_id THEN 0.97
                      ELSE least(0.9, 0.9 * (similarity(p.words, plain) - 0.2) / 0.8) END AS fit
      FROM phrases p WHERE p.words %% plain AND (p.in_use OR p.id = found_id)
     ORDER BY similarity(p.words, plain) DESC LIMIT 40
  )
  INSERT INTO phrase_relations (phrase_id, other_id, fit)
  SELECT found_id, id, fit FROM near UNION SELECT id, found_id, fit FROM near WHERE used
  ON CONFLICT DO NOTHING;
  INSERT INTO phrase_relations (phrase_id, other_id, fit) VALUES (found_id, found_id, 0.97) ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('relate_phrases', '{}'::jsonb, 'relate_phrases');
  RETURN found_id;
END $$;
"""

_PLACED = """
    visible boolean NOT NULL DEFAULT false,
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    created_at timestamptz NOT NULL DEFAULT now(),"""

TABLES = f"""
CREATE TABLE whereabouts (
    user_id uuid CONSTRAINT pk_whereabouts PRIMARY KEY
        CONSTRAINT fk_whereabouts_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    city text NOT NULL DEFAULT '',
    tile integer NOT NULL DEFAULT -1,
    cell_lat smallint NOT NULL DEFAULT -1,
    cell_lon smallint NOT NULL DEFAULT -1,
    by_area boolean NOT NULL DEFAULT false,
    free integer NOT NULL DEFAULT 0,
    ring_due boolean NOT NULL DEFAULT true,
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE skill_offers (
    user_id uuid NOT NULL CONSTRAINT fk_skill_offers_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL CONSTRAINT uq_skill_offers_id UNIQUE,
    phrase_id integer NOT NULL CONSTRAINT fk_skill_offers_phrase_id REFERENCES phrases (id),
    title text NOT NULL,
    level text,
    details text NOT NULL DEFAULT '',
    formats text[] NOT NULL DEFAULT '{{in_person,online}}',
    terms text[] NOT NULL DEFAULT '{{swap}}',
    price_cents integer,
    currency text NOT NULL DEFAULT 'USD',
    radius_km smallint NOT NULL DEFAULT 25,
    days smallint NOT NULL DEFAULT 127,
    updated_at timestamptz NOT NULL DEFAULT now(),{_PLACED}
    CONSTRAINT pk_skill_offers PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_offers_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT ck_skill_offers_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert')),
    CONSTRAINT ck_skill_offers_formats CHECK (formats <@ '{{in_person,online}}' AND cardinality(formats) > 0),
    CONSTRAINT ck_skill_offers_terms CHECK (terms <@ '{{price,swap,hours,free}}' AND cardinality(terms) > 0),
    CONSTRAINT ck_skill_offers_price CHECK (price_cents > 0 AND price_cents <= 100000000),
    CONSTRAINT ck_skill_offers_priced CHECK (('price' = ANY (terms)) = (price_cents IS NOT NULL)),
    CONSTRAINT ck_skill_offers_radius CHECK (radius_km BETWEEN 1 AND 200),
    CONSTRAINT ck_skill_offers_days CHECK (days BETWEEN 1 AND 127)
);
CREATE INDEX ix_skill_offers_near ON skill_offers (phrase_id, tile, user_id, cell_lat, cell_lon) WHERE visible;
CREATE INDEX ix_skill_offers_online ON skill_offers (phrase_id, user_id, cell_lat, cell_lon)
    WHERE visible AND 'online' = ANY (formats);

CREATE TABLE skill_wants (
    user_id uuid NOT NULL CONSTRAINT fk_skill_wants_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    id uuid NOT NULL,
    phrase_id integer NOT NULL CONSTRAINT fk_skill_wants_phrase_id REFERENCES phrases (id),
    title text NOT NULL,
    level text,{_PLACED}
    CONSTRAINT pk_skill_wants PRIMARY KEY (user_id, id),
    CONSTRAINT uq_skill_wants_user_id_phrase_id UNIQUE (user_id, phrase_id),
    CONSTRAINT ck_skill_wants_level CHECK (level IN ('beginner', 'intermediate', 'advanced', 'expert'))
);
CREATE INDEX ix_skill_wants_near ON skill_wants (phrase_id, tile, user_id, cell_lat, cell_lon) WHERE visible;
CREATE INDEX ix_skill_wants_tile ON skill_wants (tile, phrase_id) WHERE visible;

CREATE TABLE swap_rings (
    id uuid CONSTRAINT pk_swap_rings PRIMARY KEY,
    digest bytea NOT NULL CONSTRAINT uq_swap_rings_digest UNIQUE,
    state text NOT NULL DEFAULT 'proposed',
    free integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_swap_rings_state CHECK (state IN ('proposed', 'agreed', 'declined', 'expired'))
);
CREATE TABLE swap_ring_members (
    user_id uuid NOT NULL CONSTRAINT fk_swap_ring_members_user_id REFERENCES users (user_id) ON DELETE CASCADE,
    ring_id uuid NOT NULL CONSTRAINT fk_swap_ring_members_ring_id REFERENCES swap_rings (id) ON DELETE CASCADE,
    place smallint NOT NULL,
    teaches text NOT NULL,
    answer text,
    answered_at timestamptz,
    CONSTRAINT pk_swap_ring_members PRIMARY KEY (user_id, ring_id),
    CONSTRAINT ck_swap_ring_members_place CHECK (place BETWEEN 0 AND 2),
    CONSTRAINT ck_swap_ring_members_answer CHECK (answer IN ('accepted', 'declined'))
);
CREATE INDEX ix_swap_ring_members_ring_id ON swap_ring_members (ring_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON swap_rings TO {OVERSEER};
"""

# The names of skills live in the profile; offers and wants follow it, whoever changes it and by which way. Offers keep
# what their listings add as long as the skill stays.
FOLLOW = """
CREATE FUNCTION app.skills_follow_profile() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  shown boolean := NEW.is_public AND NEW.shows_skills AND NEW.registered_at IS NOT NULL;
  told record;
  spot whereabouts;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.skills_offered, OLD.skills_wanted, OLD.location, OLD.availability, OLD.shows_location,
                           OLD.is_public AND OLD.shows_skills AND OLD.registered_at IS NOT NULL)
     IS NOT DISTINCT FROM (NEW.skills_offered, NEW.skills_wanted, NEW.location, NEW.availability, NEW.shows_location,
                           shown) AND EXISTS (SELECT FROM whereabouts w WHERE w.user_id = NEW.user_id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO whereabouts (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  SELECT * INTO spot FROM whereabouts WHERE user_id = NEW.user_id;
  DELETE FROM skill_offers o WHERE o.user_id = NEW.user_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(NEW.skills_offered) s WHERE s ->> 'name' = o.title);
  DELETE FROM skill_wants w WHERE w.user_id = NEW.user_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(NEW.skills_wanted) s WHERE s ->> 'name' = w.title);
  FOR told IN SELECT s ->> 'name' AS name, s ->> 'level' AS level FROM jsonb_array_elements(NEW.skills_offered) s LOOP
    INSERT INTO skill_offers AS o (user_id, id, phrase_id, title, level, visible, tile, cell_lat, cell_lon)
    VALUES (NEW.user_id, gen_random_uuid(), app.phrase(told.name, true), told.name, told.level, shown,
            spot.tile, spot.cell_lat, spot.cell_lon)
    ON CONFLICT (user_id, phrase_id) DO UPDATE
       SET title = excluded.title, level = excluded.level, visible = excluded.visible
     WHERE (o.title, o.level, o.visible) IS DISTINCT FROM (excluded.title, excluded.level, excluded.visible);
  END LOOP;
  FOR told IN SELECT s ->> 'name' AS name, s ->> 'level' AS level FROM jsonb_array_elements(NEW.skills_wanted) s LOOP
    INSERT INTO skill_wants AS w (user_id, id, phrase_id, title, level, visible, tile, cell_lat, cell_lon)
    VALUES (NEW.user_id, gen_random_uuid(), app.phrase(told.name, true), told.name, told.level, shown,
            spot.tile, spot.cell_lat, spot.cell_lon)
    ON CONFLICT (user_id, phrase_id) DO UPDATE
       SET title = excluded.title, level = excluded.level, visible = excluded.visible
     WHERE (w.title, w.level, w.visible) IS DISTINCT FROM (excluded.title, excluded.level, excluded.visible);
  END LOOP;
  UPDATE whereabouts SET ring_due = true WHERE user_id = NEW.user_id AND NOT ring_due;
  IF (NEW.location <> '' OR NEW.availability <> '' OR TG_OP = 'UPDATE') AND (TG_OP = 'INSERT' OR (
       OLD.location, OLD.availability, OLD.shows_location) IS DISTINCT FROM (
       NEW.location, NEW.availability, NEW.shows_location) OR spot.tile < 0 AND NEW.location <> '') THEN
    PERFORM app.enqueue('place_neighbor', jsonb_build_object('user_id', NEW.user_id), 'place:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;

-- An erased account leaves its mark in users; what it offered and wanted goes with its profile.
CREATE FUNCTION app.skills_go_with_profile() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM skill_offers WHERE user_id = OLD.user_id;
  DELETE FROM skill_wants WHERE user_id = OLD.user_id;
  DELETE FROM swap_ring_members WHERE user_id = OLD.user_id;
  DELETE FROM whereabouts WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
CREATE TRIGGER skills_go AFTER DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION app.skills_go_with_profile();
CREATE TRIGGER skills_follow
 AFTER INSERT OR UPDATE OF skills_offered, skills_wanted, location, availability, is_public, shows_skills,
                           shows_location, registered_at ON profiles
 FOR EACH ROW EXECUTE FUNCTION app.skills_follow_profile();
"""

# Who fits `me`, best first. In person: within the neighbouring half degrees; from farther away only what is taught
# online, a bounded number of people a skill. A skill of theirs counts once, by the want of mine it serves best, and a
# want of theirs that I serve counts 0.6 of that. The best one makes 90 points in 100 and all others together what is
# left, so that each that is named matters. Nearness is 1 in the same cell and 0 from 40 km on.
MATCHES = """
CREATE FUNCTION app.cell_km(a_lat smallint, a_lon smallint, b_lat smallint, b_lon smallint) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sqrt((2.224 * (a_lat - b_lat)) ^ 2 + (2.891 * cos(radians(a_lat * 0.02 - 90)) * (a_lon - b_lon)) ^ 2)
$$;

CREATE FUNCTION app.skill_matches(me uuid, most integer, min_score real)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.cell_lat, h.cell_lon, ARRAY(SELECT h.tile + 1000 * a + b FROM generate_series(-1, 1) a,
           generate_series(-1, 1) b WHERE h.tile >= 0) AS tiles FROM whereabouts h WHERE h.user_id = me
  ), asked AS MATERIALIZED (
    SELECT r.other_id, max(r.fit) AS fit FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id
     WHERE w.user_id = me GROUP BY 1
  ), given AS MATERIALIZED (
    SELECT r.phrase_id, max(r.fit) AS fit FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
     WHERE o.user_id = me GROUP BY 1
  ), teachers AS (
    SELECT o.user_id, o.cell_lat, o.cell_lon, a.fit FROM asked a, here h
      JOIN LATERAL (SELECT unnest(h.tiles) AS tile) t ON true
      JOIN skill_offers o ON o.tile = t.tile AND o.visible
     WHERE o.phrase_id = a.other_id
    UNION ALL
    SELECT f.user_id, f.cell_lat, f.cell_lon, a.fit FROM asked a, here h CROSS JOIN LATERAL (
      SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
       WHERE o.phrase_id = a.other_id AND o.visible AND 'online' = ANY (o.formats) AND o.tile <> ALL (h.tiles)
       LIMIT 20) f
  ), learners AS (
    SELECT w.user_id, w.cell_lat, w.cell_lon, g.fit FROM given g, here h
      JOIN LATERAL (SELECT unnest(h.tiles) AS tile) t ON true
      JOIN skill_wants w ON w.tile = t.tile AND w.visible
     WHERE w.phrase_id = g.phrase_id
  ), heard AS (
    SELECT p.user_id, min(p.cell_lat) AS cell_lat, min(p.cell_lon) AS cell_lon, max(p.value) AS best,
           sum(p.value) AS whole
      FROM (SELECT user_id, cell_lat, cell_lon, fit AS value FROM teachers
            UNION ALL SELECT user_id, cell_lat, cell_lon, 0.6 * fit FROM learners) p
     WHERE p.user_id <> me GROUP BY 1
  ), weighed AS (
    SELECT s.user_id, 0.9 * s.best + 0.1 * (1 - exp(-0.5 * (s.whole - s.best))) AS meant,
           CASE WHEN s.cell_lat >= 0 AND h.cell_lat >= 0
                THEN app.cell_km(s.cell_lat, s.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM heard s, here h
  ), ranked AS (
    SELECT w.user_id, w.km, 100 * w.meant * (0.85 + 0.15 * greatest(0, 1 - coalesce(w.km, 40) / 40.0)) AS score
      FROM weighed w ORDER BY 3 DESC, 1 LIMIT most + 30
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', o.title, 'fit', a.fit)
                                    ORDER BY a.fit DESC, o.title), '[]')
            FROM skill_offers o JOIN asked a ON a.other_id = o.phrase_id WHERE o.user_id = r.user_id AND o.visible),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', w.title, 'fit', g.fit)
                                    ORDER BY g.fit DESC, w.title), '[]')
            FROM skill_wants w JOIN given g ON g.phrase_id = w.phrase_id WHERE w.user_id = r.user_id AND w.visible)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN whereabouts v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT most
$$;
"""

# The skills that `me` might offer beside what they do, by how many neighbours want them and are no match yet.
WHAT_IF = """
CREATE FUNCTION app.skill_to_offer(me uuid, most integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT ARRAY(SELECT h.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b) AS tiles
      FROM whereabouts h WHERE h.user_id = me AND h.tile >= 0
  ), wanted AS MATERIALIZED (
    SELECT w.phrase_id, count(*) AS people FROM skill_wants w, here h
     WHERE w.visible AND w.tile = ANY (h.tiles) AND w.user_id <> me
       AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                        WHERE o.user_id = me AND r.phrase_id = w.phrase_id AND r.fit >= 0.5)
     GROUP BY 1
  ), likely AS (
    SELECT r.other_id, sum(d.people * r.fit) AS served
      FROM wanted d JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.fit >= 0.5 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
  ), counted AS (
    SELECT l.other_id, l.served, (SELECT count(DISTINCT w.user_id) FROM skill_wants w, here h, phrase_relations r
                         WHERE r.other_id = l.other_id AND r.fit >= 0.5 AND w.phrase_id = r.phrase_id AND w.visible
                           AND w.tile = ANY (h.tiles) AND w.user_id <> me
                           AND w.phrase_id IN (SELECT d.phrase_id FROM wanted d)) AS people
      FROM likely l WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id WHERE c.people > 0
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT most
$$;
"""

# What a listing's page shows; what relates the phrases of `me` (null: some of them still wait).
LOOKUPS = """
CREATE FUNCTION app.skill_listing(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', o.id, 'title', o.title, 'level', o.level, 'details', o.details, 'formats', o.formats,
           'terms', o.terms, 'price_cents', o.price_cents, 'currency', o.currency, 'radius_km', o.radius_km,
           'days', o.days, 'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
           'photo_url', p.photo_url, 'bio', p.bio, 'languages', p.languages,
           'city', CASE WHEN p.shows_location THEN w.city ELSE '' END)
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id JOIN users u ON u.user_id = o.user_id
    LEFT JOIN whereabouts w ON w.user_id = o.user_id
   WHERE o.id = wanted AND o.visible AND u.status = 'active'
$$;

CREATE FUNCTION app.match_method(me uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN bool_and(p.related_by IS NOT NULL) THEN max(p.related_by) END FROM phrases p
   WHERE p.id IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me
                  UNION ALL SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = me)
$$;
"""

# A member sees the whole ring; everybody answers for themselves, and one refusal ends it.
RINGS = """
CREATE FUNCTION app.swap_rings_of(me uuid) RETURNS TABLE (id uuid, state text, free integer, created_at timestamptz,
                                                           members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.state, r.free, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', p.handle, 'name', p.display_name, 'teaches', o.teaches,
                                              'answer', o.answer, 'you', o.user_id = me) ORDER BY o.place)
            FROM swap_ring_members o JOIN profiles p ON p.user_id = o.user_id WHERE o.ring_id = r.id)
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = me AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id) = 3
   ORDER BY r.created_at DESC LIMIT 20
$$;

CREATE FUNCTION app.lock_swap_ring(me uuid, wanted uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.state FROM swap_rings r
   WHERE r.id = wanted AND EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = r.id AND m.user_id = me)
     FOR UPDATE OF r
$$;

CREATE FUNCTION app.settle_swap_ring(wanted uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_state text;
BEGIN
  SELECT CASE WHEN bool_or(m.answer = 'declined') THEN 'declined'
              WHEN count(*) FILTER (WHERE m.answer = 'accepted') = 3 THEN 'agreed' ELSE 'proposed' END
    INTO now_state FROM swap_ring_members m WHERE m.ring_id = wanted;
  UPDATE swap_rings SET state = now_state WHERE id = wanted AND state = 'proposed' AND state <> now_state;
  IF FOUND THEN
    PERFORM app.enqueue('tell_swap_ring', jsonb_build_object('ring_id', wanted), NULL);
  END IF;
  RETURN now_state;
END $$;
"""

FUNCTIONS = (
    "app.phrase(text, boolean)",
    "app.skill_matches(uuid, integer, real)",
    "app.skill_to_offer(uuid, integer)",
    "app.skill_listing(uuid)",
    "app.match_method(uuid)",
    "app.swap_rings_of(uuid)",
    "app.lock_swap_ring(uuid, uuid)",
    "app.settle_swap_ring(uuid)",
)


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(PHRASES)
    run(VECTORS)
    run(PHRASE)
    run(TABLES)
    for table in ("whereabouts", "skill_offers", "skill_wants", "swap_ring_members"):
        run(fence(table, key="user_id", setting="uid", directory=True))
    run(FOLLOW)
    run(MATCHES)
    run(WHAT_IF)
    run(LOOKUPS)
    run(RINGS)
    for function in FUNCTIONS:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}, {OVERSEER}")
    # Who was here before follows too.
    run("SELECT app.enqueue('follow_profiles', '{}', 'follow_profiles') WHERE EXISTS (SELECT FROM profiles)")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("DROP TRIGGER skills_follow ON profiles")
    run("DROP TRIGGER skills_go ON profiles")
    for function in (
        *FUNCTIONS,
        "app.skills_follow_profile()",
        "app.skills_go_with_profile()",
        "app.cell_km(smallint, smallint, smallint, smallint)",
    ):
        run(f"DROP FUNCTION {function}")
    run("DROP TABLE swap_ring_members, swap_rings, skill_wants, skill_offers, whereabouts, phrase_relations")
    run("DROP TABLE IF EXISTS phrase_vectors")
    run("DROP TABLE phrases")
    run("DROP FUNCTION app.folded(text)")
