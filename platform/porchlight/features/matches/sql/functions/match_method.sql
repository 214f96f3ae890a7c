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
