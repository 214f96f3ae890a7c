-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the
-- nearest first, then Premium Angels. `max_per_phrase` listings are read for each of
-- `max_phrases` phrases, those around the user first.
-- `guru_id` is the guru that the neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer, max_phrases integer,
                                                  max_per_phrase integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), tiles AS MATERIALIZED (
    SELECT t.near_tile, t.steps FROM here h CROSS JOIN app.tiles_around(h.tile) t
  ), offers AS (
    -- Each tile is a probe of the index: a join would read all offers of the phrase.
    SELECT o.* FROM app.subject_phrases(subject, max_phrases) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM tiles t CROSS JOIN LATERAL (
           SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.phrase_id = f.phrase_id AND o.tile = t.near_tile AND o.visible LIMIT max_per_phrase) o
        ORDER BY t.steps LIMIT max_per_phrase)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT max_per_phrase) LIMIT max_per_phrase) o
  ), nearest AS (
    SELECT DISTINCT ON (o.user_id) o.user_id, o.id, o.title,
           CASE WHEN o.cell_lat >= 0 THEN app.cell_km(o.cell_lat, o.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM offers o LEFT JOIN here h ON true
     WHERE o.user_id IS DISTINCT FROM app.user_id() AND o.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
     ORDER BY o.user_id, o.title, o.id
  ), chosen AS MATERIALIZED (
    SELECT n.user_id, n.id, n.title, n.km, u.listed_plan = 'premium-angel' AS premium
      FROM nearest n JOIN users u ON u.user_id = n.user_id
     WHERE u.status = 'active' ORDER BY n.km NULLS LAST, 5 DESC, n.id LIMIT max_results
  )
  SELECT p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END, c.km::real, c.id, c.title, m.tenant_id
    FROM chosen c JOIN profiles p ON p.user_id = c.user_id
    LEFT JOIN user_locations w ON w.user_id = c.user_id LEFT JOIN memberships m ON m.user_id = c.user_id
   ORDER BY c.km NULLS LAST, c.premium DESC, c.id
$$;
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) TO porchlight_app, porchlight_overseer;
