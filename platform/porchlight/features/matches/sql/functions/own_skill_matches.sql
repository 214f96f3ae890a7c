-- Return the best matches of the current user: people who teach what the user wants, or want what the user teaches.
--
-- The score is 0 to 100. The best skill is worth `best_weight` of it and all others together the rest, which they fill
-- by `others_rate`; a skill that they want counts `learner_weight` beside one that they teach. Distance reduces the
-- score by up to `distance_weight`, which is reached at `far_km`.
--
-- Candidates are read in blocks (one phrase in one ring of grid cells), in the order of the best possible score, until
-- `max_candidates` (`max_per_block` in each); then the most likely people are scored in full, `spare_likely` and then
-- `spare_ranked` more than are returned. A ring reaches `ring_cells` cells, and NULL the end of the near tiles; its
-- `ring_nearness` is the best of its cells. From outside the near tiles it takes `max_online` people per skill who teach
-- online.
--
-- `teaches` and `learns` are the reasons: for each skill of the user, their skill that fits it best, from `min_reason`
-- on. A similar skill beside it (crochet, for someone who wants to knit) is no reason.
--
-- Called by: matches, with the numbers of its rules.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.own_skill_matches(
  max_results integer, min_score real, best_weight double precision, others_rate double precision,
  learner_weight double precision, distance_weight double precision, far_km double precision, ring_cells integer[],
  ring_nearness double precision[], max_per_block integer, max_online integer, max_candidates integer,
  spare_likely integer, spare_ranked integer, min_reason double precision)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  here record;
  tiles integer[];
BEGIN
  SELECT h.tile, h.cell_lat::integer AS lat, h.cell_lon::integer AS lon INTO here FROM user_locations h
   WHERE h.user_id = me;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  tiles := ARRAY(SELECT t.near_tile FROM app.tiles_around(here.tile) t WHERE here.tile >= 0 ORDER BY t.steps);
  RETURN QUERY
  WITH wanted_phrases AS MATERIALIZED (
    SELECT r.other_id AS phrase_id, max(r.probability) AS probability
      FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = me GROUP BY 1
  ), offered_phrases AS MATERIALIZED (
    SELECT r.phrase_id, max(r.probability) AS probability
      FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = me GROUP BY 1
  ), own_phrases AS (
    SELECT true AS taught, a.phrase_id, a.probability AS value FROM wanted_phrases a
     UNION ALL SELECT false, g.phrase_id, learner_weight * g.probability FROM offered_phrases g
  ), rings AS (
    SELECT x.inner_cells, x.nearness,
           CASE WHEN x.cells IS NULL THEN tiles ELSE ARRAY(
             SELECT DISTINCT app.tile_of(a, b) FROM unnest(ARRAY[here.lat - x.cells, here.lat + x.cells]) a,
                    unnest(ARRAY[here.lon - x.cells, here.lon + x.cells]) b) END AS ring_tiles,
           coalesce(here.lat - x.cells, -1) AS south, coalesce(here.lat + x.cells, 32767) AS north,
           coalesce(here.lon - x.cells, -1) AS west, coalesce(here.lon + x.cells, 32767) AS east
      FROM (SELECT r.cells, r.nearness, lag(r.cells, 1, -1) OVER (ORDER BY r.place) AS inner_cells
              FROM unnest(ring_cells, ring_nearness) WITH ORDINALITY r (cells, nearness, place)) x
     WHERE here.tile >= 0
  ), blocks AS MATERIALIZED (
    SELECT s.*, r.*, false AS far, s.value * (1 - distance_weight * (1 - r.nearness)) AS bound FROM own_phrases s, rings r
     UNION ALL
    SELECT s.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, s.value * (1 - distance_weight)
      FROM own_phrases s WHERE s.taught
     ORDER BY bound DESC, taught DESC, phrase_id
  ), candidates AS MATERIALIZED (
    SELECT f.user_id, f.cell_lat, f.cell_lon, b.value FROM blocks b CROSS JOIN LATERAL (
      (SELECT o.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
          WHERE o.visible AND o.phrase_id = b.phrase_id AND o.tile = t.tile
            AND o.cell_lat BETWEEN b.south AND b.north AND o.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(o.cell_lat - here.lat), abs(o.cell_lon - here.lon)) > b.inner_cells
          LIMIT max_per_block) o
        WHERE b.taught AND NOT b.far LIMIT max_per_block)
      UNION ALL
      (SELECT w.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT w.user_id, w.cell_lat, w.cell_lon FROM skill_wants w
          WHERE w.visible AND w.phrase_id = b.phrase_id AND w.tile = t.tile
            AND w.cell_lat BETWEEN b.south AND b.north AND w.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(w.cell_lat - here.lat), abs(w.cell_lon - here.lon)) > b.inner_cells
          LIMIT max_per_block) w
        WHERE NOT b.taught LIMIT max_per_block)
      UNION ALL
      (SELECT o.* FROM app.tiles_beyond(here.tile, NULL) gap CROSS JOIN LATERAL (
           SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.visible AND 'online' = ANY (o.formats) AND o.phrase_id = b.phrase_id
              AND o.tile > gap.above AND o.tile < gap.below LIMIT max_online) o
        WHERE b.far LIMIT max_online)) f
     LIMIT max_candidates
  ), likely AS MATERIALIZED (
    SELECT k.user_id, k.km, k.best, k.total FROM (
      SELECT h.user_id, max(h.value) AS best, sum(h.value) AS total,
             CASE WHEN min(h.cell_lat) >= 0 AND here.lat >= 0
                  THEN app.cell_km(min(h.cell_lat), min(h.cell_lon), here.lat::smallint, here.lon::smallint) END AS km
        FROM candidates h WHERE h.user_id <> me GROUP BY 1) k
     ORDER BY (best_weight * k.best + (1 - best_weight) * (1 - exp(-others_rate * (k.total - k.best))))
              * (1 - distance_weight * least(1, coalesce(k.km / far_km, 1))) DESC, k.user_id
     LIMIT max_results + spare_likely
  ), ranked AS (
    SELECT k.user_id, k.km,
           100 * (best_weight * k.best + (1 - best_weight) * (1 - exp(-others_rate * (k.total - k.best))))
               * (1 - distance_weight * least(1, coalesce(k.km / far_km, 1))) AS score
      FROM (SELECT l.user_id, l.km, max(v.value) AS best, sum(v.value) AS total FROM likely l CROSS JOIN LATERAL (
              SELECT a.probability AS value FROM skill_offers o JOIN wanted_phrases a ON a.phrase_id = o.phrase_id
               WHERE o.user_id = l.user_id AND o.visible AND (o.tile = ANY (tiles) OR 'online' = ANY (o.formats))
               UNION ALL
              SELECT learner_weight * g.probability
                FROM skill_wants w JOIN offered_phrases g ON g.phrase_id = w.phrase_id
               WHERE w.user_id = l.user_id AND w.visible AND w.tile = ANY (tiles)) v GROUP BY 1, 2) k
     ORDER BY 3 DESC, 1 LIMIT max_results + spare_ranked
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (w.id) o.title, n.probability AS fit
                      FROM skill_wants w
                      JOIN phrase_relations n ON n.phrase_id = w.phrase_id AND n.probability >= min_reason
                      JOIN skill_offers o ON o.phrase_id = n.other_id AND o.user_id = r.user_id AND o.visible
                     WHERE w.user_id = me ORDER BY w.id, n.probability DESC, o.title) best GROUP BY 1) t),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (o.id) w.title, n.probability AS fit
                      FROM skill_offers o
                      JOIN phrase_relations n ON n.other_id = o.phrase_id AND n.probability >= min_reason
                      JOIN skill_wants w ON w.phrase_id = n.phrase_id AND w.user_id = r.user_id AND w.visible
                     WHERE o.user_id = me ORDER BY o.id, n.probability DESC, w.title) best GROUP BY 1) t)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN user_locations v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND r.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
     AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.own_skill_matches(integer, real, double precision, double precision, double precision,
  double precision, double precision, integer[], double precision[], integer, integer, integer, integer, integer,
  double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skill_matches(integer, real, double precision, double precision, double precision,
  double precision, double precision, integer[], double precision[], integer, integer, integer, integer, integer,
  double precision) TO porchlight_app;
