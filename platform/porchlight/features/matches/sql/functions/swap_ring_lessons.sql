-- Return who of the users of `circle` can teach whom in a swap, the skill, and how likely it serves the learner.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: offers and wants of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.swap_ring_lessons(circle uuid[], min_probability double precision)
RETURNS TABLE (teacher_id uuid, learner_id uuid, skill text, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  RETURN QUERY
  SELECT o.user_id, w.user_id, o.title, r.probability FROM skill_offers o
    JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= min_probability
    JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id = ANY (circle)
   WHERE o.user_id = ANY (circle) AND o.visible AND o.user_id <> w.user_id
     AND app.cell_km(o.cell_lat, o.cell_lon, w.cell_lat, w.cell_lon) <= o.radius_km
     AND o.cell_lat >= 0 AND w.cell_lat >= 0 AND 'swap' = ANY (o.terms);
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_lessons(uuid[], double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_lessons(uuid[], double precision) TO porchlight_app, porchlight_overseer;
