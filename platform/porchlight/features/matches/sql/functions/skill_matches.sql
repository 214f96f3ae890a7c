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
