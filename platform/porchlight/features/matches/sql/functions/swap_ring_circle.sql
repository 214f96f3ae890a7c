-- Return the users who can be in a swap ring with a user of `due`: these, their possible learners and their possible
-- teachers, the best `max_partners` each. The third member of a ring is both. `open_rings` counts proposed rings.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: offers, wants and locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.swap_ring_circle(due uuid[], min_probability double precision, max_partners integer)
RETURNS TABLE (user_id uuid, availability_bits integer, open_rings bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  RETURN QUERY
  WITH due_users AS (
    SELECT l.user_id, ARRAY(SELECT t.near_tile FROM app.tiles_around(l.tile) t WHERE t.steps <= 1) AS tiles
      FROM user_locations l WHERE l.user_id = ANY (due)),
  learners AS (
    SELECT DISTINCT x.user_id FROM due_users d CROSS JOIN LATERAL (
      SELECT w.user_id FROM skill_offers o
        JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= min_probability
        JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id <> o.user_id
         AND w.tile = ANY (d.tiles)
       WHERE o.user_id = d.user_id AND o.visible ORDER BY r.probability DESC LIMIT max_partners) x),
  teachers AS (
    SELECT DISTINCT x.user_id FROM due_users d CROSS JOIN LATERAL (
      SELECT o.user_id FROM skill_wants w
        JOIN phrase_relations r ON r.phrase_id = w.phrase_id AND r.probability >= min_probability
        JOIN skill_offers o ON o.phrase_id = r.other_id AND o.visible AND w.user_id <> o.user_id
         AND o.tile = ANY (d.tiles)
       WHERE w.user_id = d.user_id AND w.visible ORDER BY r.probability DESC LIMIT max_partners) x)
  SELECT l.user_id, l.availability_bits,
         (SELECT count(*) FROM swap_ring_members m JOIN swap_rings s ON s.id = m.ring_id
           WHERE m.user_id = l.user_id AND s.state = 'proposed')
    FROM user_locations l JOIN users u ON u.user_id = l.user_id AND u.status = 'active'
   WHERE l.availability_bits <> 0 AND l.user_id IN (
     SELECT d.user_id FROM due_users d UNION SELECT x.user_id FROM learners x UNION SELECT x.user_id FROM teachers x);
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_circle(uuid[], double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_circle(uuid[], double precision, integer) TO porchlight_app, porchlight_overseer;
