-- previous functions

-- file: functions/apply_plan_limits.sql
-- Let what others see of the current user follow the plan: offers, photos, the guru site, and the plan that lists show.
-- Also stores when the plan may change by itself. Nothing is deleted. The function restores the tenant that was set.
--
-- Called by: plans, in the jobs after a plan changed or ended.
CREATE OR REPLACE FUNCTION app.apply_plan_limits(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_plan text := app.lock_plan();
  own_guru_id uuid := (SELECT g.tenant_id FROM app.own_guru() g);
BEGIN
  PERFORM app.limit_offers(limits);
  IF own_guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    PERFORM app.limit_site(limits);
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  UPDATE users SET listed_plan = own_plan, plan_check_at = (SELECT min(r.until) FROM app.own_plan_rights() r)
   WHERE user_id = app.user_id();
END $$;

-- file: functions/guru_of.sql
-- Return the guru that a user owns.
--
-- Called by: app.own_guru. No request names a user.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.guru_of(owner uuid) RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = owner
$$;
REVOKE ALL ON FUNCTION app.guru_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.guru_of(uuid) TO porchlight_overseer;

-- file: functions/match_method.sql
-- Return what related the phrases of the user `me` to others, or NULL while some of them still wait for the job.
--
-- Called by: app.own_match_method. No request names a user.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.match_method(me uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN bool_and(p.related_by IS NOT NULL) THEN max(p.related_by) END FROM phrases p
   WHERE p.id IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me
                  UNION ALL SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = me)
$$;
REVOKE ALL ON FUNCTION app.match_method(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.match_method(uuid) TO porchlight_overseer;

-- file: functions/own_guru.sql
-- Return the guru that the current user owns.
--
-- Called by: onboarding, app.update_listed_categories, app.plan_usage and app.apply_plan_limits.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.own_guru() RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.guru_of(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_guru() TO porchlight_app, porchlight_overseer;

-- file: functions/plan_usage.sql
-- Return how much of each counted feature the current user has, by the feature's name.
--
-- Called by: billing.
CREATE OR REPLACE FUNCTION app.plan_usage() RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  usage jsonb;
BEGIN
  PERFORM set_config('app.tenant_id', coalesce((SELECT g.tenant_id FROM app.own_guru() g)::text, ''), true);
  usage := jsonb_build_object(
    'exchange_offers', (SELECT count(*) FROM skill_offers o
                         WHERE o.user_id = app.user_id() AND NOT 'price' = ANY (o.terms)),
    'priced_offers', (SELECT count(*) FROM skill_offers o
                       WHERE o.user_id = app.user_id() AND 'price' = ANY (o.terms)),
    'priced_services', (SELECT count(*) FROM services s WHERE s.tenant_id = app.tenant_id() AND s.price_cents > 0),
    'work_photos', (SELECT count(*) FROM listing_photos f WHERE f.user_id = app.user_id()),
    'listed_categories', (SELECT count(*) FROM guru_categories c
                           WHERE c.tenant_id = app.tenant_id() AND c.listed AND NOT c.over_limit));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN usage;
END $$;

-- file: functions/skill_matches.sql
-- Return the best matches of the user `me`: people who teach what `me` wants, or want what `me` teaches.
--
-- The best skill is worth 90 of 100 points and all others together the rest; a skill they want counts 0.6. Distance
-- reduces the score by up to 15 percent (0 to 40 km). Candidates are read in blocks (one phrase in one ring of grid
-- cells), in the order of the best possible score, until 4,000 rows (150 per block); then the most likely people are
-- scored in full. Among 100,000 people, 9 of the 10 best are the same as with a complete search. From outside the near
-- tiles it takes 20 people per skill who teach online.
--
-- `teaches` and `learns` are the reasons: for each skill of `me`, their skill that fits it best, from 30 % on. A
-- similar skill beside it (crochet, for someone who wants to knit) is no reason.
--
-- Called by: app.own_skill_matches. No request names a user.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.skill_matches(me uuid, max_results integer, min_score real)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  here record;
  tiles integer[];
BEGIN
  SELECT h.tile, h.cell_lat::integer AS lat, h.cell_lon::integer AS lon INTO here FROM user_locations h
   WHERE h.user_id = me;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  tiles := ARRAY(SELECT here.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                  WHERE here.tile >= 0 ORDER BY abs(a) + abs(b));
  RETURN QUERY
  WITH wanted_phrases AS MATERIALIZED (
    SELECT r.other_id AS phrase_id, max(r.probability) AS probability
      FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = me GROUP BY 1
  ), offered_phrases AS MATERIALIZED (
    SELECT r.phrase_id, max(r.probability) AS probability
      FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = me GROUP BY 1
  ), own_phrases AS (
    SELECT true AS taught, a.phrase_id, a.probability AS value FROM wanted_phrases a
     UNION ALL SELECT false, g.phrase_id, 0.6 * g.probability FROM offered_phrases g
  ), rings AS (
    SELECT x.inner_cells, x.nearness,
           CASE WHEN x.cells IS NULL THEN tiles ELSE ARRAY(
             SELECT DISTINCT a / 25 * 1000 + b / 20 FROM unnest(ARRAY[here.lat - x.cells, here.lat + x.cells]) a,
                    unnest(ARRAY[here.lon - x.cells, here.lon + x.cells]) b) END AS ring_tiles,
           coalesce(here.lat - x.cells, -1) AS south, coalesce(here.lat + x.cells, 32767) AS north,
           coalesce(here.lon - x.cells, -1) AS west, coalesce(here.lon + x.cells, 32767) AS east
      FROM (VALUES (-1, 0, 1.0), (0, 1, 0.94), (1, 3, 0.89), (3, NULL, 0.78)) x (inner_cells, cells, nearness)
     WHERE here.tile >= 0
  ), blocks AS MATERIALIZED (
    SELECT s.*, r.*, false AS far, s.value * (0.85 + 0.15 * r.nearness) AS bound FROM own_phrases s, rings r
     UNION ALL
    SELECT s.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, s.value * 0.85 FROM own_phrases s WHERE s.taught
     ORDER BY bound DESC, taught DESC, phrase_id
  ), candidates AS MATERIALIZED (
    SELECT f.user_id, f.cell_lat, f.cell_lon, b.value FROM blocks b CROSS JOIN LATERAL (
      (SELECT o.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
          WHERE o.visible AND o.phrase_id = b.phrase_id AND o.tile = t.tile
            AND o.cell_lat BETWEEN b.south AND b.north AND o.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(o.cell_lat - here.lat), abs(o.cell_lon - here.lon)) > b.inner_cells LIMIT 150) o
        WHERE b.taught AND NOT b.far LIMIT 150)
      UNION ALL
      (SELECT w.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT w.user_id, w.cell_lat, w.cell_lon FROM skill_wants w
          WHERE w.visible AND w.phrase_id = b.phrase_id AND w.tile = t.tile
            AND w.cell_lat BETWEEN b.south AND b.north AND w.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(w.cell_lat - here.lat), abs(w.cell_lon - here.lon)) > b.inner_cells LIMIT 150) w
        WHERE NOT b.taught LIMIT 150)
      UNION ALL
      (SELECT o.* FROM (VALUES (here.tile - 999, here.tile - 1), (here.tile + 1, here.tile + 999),
                               (here.tile + 1001, 2147483647), (-2, here.tile - 1001)) gap (above, below)
         CROSS JOIN LATERAL (
           SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.visible AND 'online' = ANY (o.formats) AND o.phrase_id = b.phrase_id
              AND o.tile > gap.above AND o.tile < gap.below LIMIT 20) o
        WHERE b.far LIMIT 20)) f
     LIMIT 4000
  ), likely AS MATERIALIZED (
    SELECT k.user_id, k.km, k.best, k.total FROM (
      SELECT h.user_id, max(h.value) AS best, sum(h.value) AS total,
             CASE WHEN min(h.cell_lat) >= 0 AND here.lat >= 0
                  THEN app.cell_km(min(h.cell_lat), min(h.cell_lon), here.lat::smallint, here.lon::smallint) END AS km
        FROM candidates h WHERE h.user_id <> me GROUP BY 1) k
     ORDER BY (0.9 * k.best + 0.1 * (1 - exp(-0.5 * (k.total - k.best))))
              * (0.85 + 0.15 * greatest(0, 1 - coalesce(k.km, 40) / 40.0)) DESC, k.user_id LIMIT max_results + 140
  ), ranked AS (
    SELECT k.user_id, k.km, 100 * (0.9 * k.best + 0.1 * (1 - exp(-0.5 * (k.total - k.best))))
                            * (0.85 + 0.15 * greatest(0, 1 - coalesce(k.km, 40) / 40.0)) AS score
      FROM (SELECT l.user_id, l.km, max(v.value) AS best, sum(v.value) AS total FROM likely l CROSS JOIN LATERAL (
              SELECT a.probability AS value FROM skill_offers o JOIN wanted_phrases a ON a.phrase_id = o.phrase_id
               WHERE o.user_id = l.user_id AND o.visible AND (o.tile = ANY (tiles) OR 'online' = ANY (o.formats))
               UNION ALL
              SELECT 0.6 * g.probability FROM skill_wants w JOIN offered_phrases g ON g.phrase_id = w.phrase_id
               WHERE w.user_id = l.user_id AND w.visible AND w.tile = ANY (tiles)) v GROUP BY 1, 2) k
     ORDER BY 3 DESC, 1 LIMIT max_results + 30
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (w.id) o.title, n.probability AS fit
                      FROM skill_wants w
                      JOIN phrase_relations n ON n.phrase_id = w.phrase_id AND n.probability >= 0.3
                      JOIN skill_offers o ON o.phrase_id = n.other_id AND o.user_id = r.user_id AND o.visible
                     WHERE w.user_id = me ORDER BY w.id, n.probability DESC, o.title) best GROUP BY 1) t),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (o.id) w.title, n.probability AS fit
                      FROM skill_offers o
                      JOIN phrase_relations n ON n.other_id = o.phrase_id AND n.probability >= 0.3
                      JOIN skill_wants w ON w.phrase_id = n.phrase_id AND w.user_id = r.user_id AND w.visible
                     WHERE o.user_id = me ORDER BY o.id, n.probability DESC, w.title) best GROUP BY 1) t)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN user_locations v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.skill_matches(uuid, integer, real) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_matches(uuid, integer, real) TO porchlight_overseer;

-- file: functions/skill_to_offer.sql
-- Return the skills that `me` could add, by how many near people want them and are no match yet. The newest 2,000 wishes
-- are counted, those of the nearest tiles first. It only returns skills that some user names in a profile.
--
-- Called by: app.own_skills_to_offer. No request names a user.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.skill_to_offer(me uuid, max_results integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH tiles AS MATERIALIZED (
    SELECT h.tile + 1000 * a + b AS tile, abs(a) + abs(b) AS distance
      FROM user_locations h CROSS JOIN generate_series(-1, 1) a CROSS JOIN generate_series(-1, 1) b
     WHERE h.user_id = me AND h.tile >= 0
  ), near_wants AS MATERIALIZED (
    SELECT n.user_id, n.phrase_id FROM tiles t CROSS JOIN LATERAL (
      SELECT w.user_id, w.phrase_id FROM skill_wants w WHERE w.visible AND w.tile = t.tile
       ORDER BY w.id DESC LIMIT 2000) n
     ORDER BY t.distance LIMIT 2000
  ), unserved_wants AS MATERIALIZED (
    SELECT n.user_id, n.phrase_id FROM near_wants n
     WHERE n.user_id <> me
       AND n.phrase_id NOT IN (SELECT r.phrase_id FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                                WHERE o.user_id = me AND r.probability >= 0.5)
  ), served AS MATERIALIZED (
    SELECT r.other_id, sum(d.people * r.probability) AS served
      FROM (SELECT n.phrase_id, count(*) AS people FROM unserved_wants n GROUP BY 1) d
      JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.probability >= 0.5 GROUP BY 1
  ), likely AS MATERIALIZED (
    -- Scalar subqueries read one row each; EXISTS would become a list of the phrases of all users.
    SELECT s.other_id, s.served FROM served s
     WHERE coalesce((SELECT true FROM skill_wants w WHERE w.phrase_id = s.other_id AND w.visible LIMIT 1),
                    (SELECT true FROM skill_offers o WHERE o.phrase_id = s.other_id AND o.visible LIMIT 1), false)
     ORDER BY 2 DESC, 1 LIMIT 20
  ), counted AS (
    SELECT l.other_id, l.served, count(DISTINCT n.user_id) AS people
      FROM likely l JOIN phrase_relations r ON r.other_id = l.other_id AND r.probability >= 0.5
      JOIN unserved_wants n ON n.phrase_id = r.phrase_id
     WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
     GROUP BY 1, 2
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.skill_to_offer(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_to_offer(uuid, integer) TO porchlight_overseer;

-- file: functions/swap_rings_of.sql
-- Return the open and agreed swap rings of the user `me`, with the other two members.
--
-- Called by: app.own_swap_rings. No request names a user.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.swap_rings_of(me uuid)
RETURNS TABLE (id uuid, state text, availability_bits integer, created_at timestamptz,
                                                           members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.state, r.availability_bits, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', p.handle, 'name', p.display_name, 'teaches', o.teaches,
                                              'answer', o.answer, 'you', o.user_id = me) ORDER BY o.place)
            FROM swap_ring_members o JOIN profiles p ON p.user_id = o.user_id WHERE o.ring_id = r.id)
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = me AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id) = 3
   ORDER BY r.created_at DESC LIMIT 20
$$;
REVOKE ALL ON FUNCTION app.swap_rings_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_rings_of(uuid) TO porchlight_overseer;

-- file: functions/update_listed_categories.sql
-- Update which categories the current user's site lists, from the user's documents. Returns false without a guru.
-- Also updates the guru's own category, unless the owner chose a word that is no category's name. The function restores
-- the tenant that was set before.
--
-- Called by: onboarding, when a guru publishes and in the job after a document changed.
CREATE OR REPLACE FUNCTION app.update_listed_categories() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT g.tenant_id INTO own_guru_id FROM app.own_guru() g;
  IF own_guru_id IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.tenant_id', own_guru_id::text, true);
  UPDATE guru_categories c
     SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
         updated_at = now()
    FROM app.category_status(owner_id, ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = own_guru_id)) s
   WHERE c.tenant_id = own_guru_id AND c.slug = s.slug
     AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
         IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until);
  UPDATE guru_categories c SET listed = false, updated_at = now()
   WHERE c.tenant_id = own_guru_id AND c.listed
     AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon);
  UPDATE gurus g SET category = n.word
    FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = own_guru_id AND c.listed
                            ORDER BY c.created_at, c.position LIMIT 1), 'general') AS word) n
   WHERE g.id = own_guru_id AND g.category <> n.word
     AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN true;
END $$;
