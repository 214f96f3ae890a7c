-- Return the skills that the current user could add, by how many near people want them and are no match yet. The newest
-- `max_wants` are counted, those of the nearest tiles first. A skill serves a want from `min_probability` on; the
-- `max_likely` that serve most wants are counted exactly. It only returns skills that some user names in a profile.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.own_skills_to_offer(
  max_results integer, max_wants integer, min_probability double precision, max_likely integer)
RETURNS TABLE (skill text, people bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
BEGIN
  RETURN QUERY
  WITH near_tiles AS MATERIALIZED (
    SELECT t.near_tile, t.steps FROM user_locations h CROSS JOIN app.tiles_around(h.tile) t
     WHERE h.user_id = me AND h.tile >= 0
  ), near_wants AS MATERIALIZED (
    SELECT n.user_id, n.phrase_id FROM near_tiles t CROSS JOIN LATERAL (
      SELECT w.user_id, w.phrase_id FROM skill_wants w WHERE w.visible AND w.tile = t.near_tile
       ORDER BY w.id DESC LIMIT max_wants) n
     ORDER BY t.steps LIMIT max_wants
  ), unserved_wants AS MATERIALIZED (
    SELECT n.user_id, n.phrase_id FROM near_wants n
     WHERE n.user_id <> me
       AND n.phrase_id NOT IN (SELECT r.phrase_id FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                                WHERE o.user_id = me AND r.probability >= min_probability)
  ), served AS MATERIALIZED (
    SELECT r.other_id, sum(d.people * r.probability) AS served
      FROM (SELECT n.phrase_id, count(*) AS people FROM unserved_wants n GROUP BY 1) d
      JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.probability >= min_probability GROUP BY 1
  ), likely AS MATERIALIZED (
    -- Scalar subqueries read one row each; EXISTS would become a list of the phrases of all users.
    SELECT s.other_id, s.served FROM served s
     WHERE coalesce((SELECT true FROM skill_wants w WHERE w.phrase_id = s.other_id AND w.visible LIMIT 1),
                    (SELECT true FROM skill_offers o WHERE o.phrase_id = s.other_id AND o.visible LIMIT 1), false)
     ORDER BY 2 DESC, 1 LIMIT max_likely
  ), counted AS (
    SELECT l.other_id, l.served, count(DISTINCT n.user_id) AS people
      FROM likely l JOIN phrase_relations r ON r.other_id = l.other_id AND r.probability >= min_probability
      JOIN unserved_wants n ON n.phrase_id = r.phrase_id
     WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
     GROUP BY 1, 2
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.own_skills_to_offer(integer, integer, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skills_to_offer(integer, integer, double precision, integer) TO porchlight_app;
