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
