-- Return the skills that `me` could add, by how many near people want them and are no match yet.
-- It only returns skills that some user names in a profile.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.skill_to_offer(me uuid, max_results integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT ARRAY(SELECT h.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b) AS tiles
      FROM user_locations h WHERE h.user_id = me AND h.tile >= 0
  ), unserved_wants AS MATERIALIZED (
    SELECT w.phrase_id, count(*) AS people FROM skill_wants w, here h
     WHERE w.visible AND w.tile = ANY (h.tiles) AND w.user_id <> me
       AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                        WHERE o.user_id = me AND r.phrase_id = w.phrase_id AND r.probability >= 0.5)
     GROUP BY 1
  ), likely AS (
    SELECT r.other_id, sum(d.people * r.probability) AS served
      FROM unserved_wants d JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.probability >= 0.5
       AND (EXISTS (SELECT FROM skill_wants w WHERE w.phrase_id = r.other_id AND w.visible)
            OR EXISTS (SELECT FROM skill_offers o WHERE o.phrase_id = r.other_id AND o.visible))
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
  ), counted AS (
    SELECT l.other_id, l.served, (SELECT count(DISTINCT w.user_id) FROM skill_wants w, here h, phrase_relations r
                         WHERE r.other_id = l.other_id AND r.probability >= 0.5 AND w.phrase_id = r.phrase_id
                           AND w.visible AND w.tile = ANY (h.tiles) AND w.user_id <> me
                           AND w.phrase_id IN (SELECT d.phrase_id FROM unserved_wants d)) AS people
      FROM likely l WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id WHERE c.people > 0
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.skill_to_offer(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_to_offer(uuid, integer) TO porchlight_app, porchlight_overseer;
