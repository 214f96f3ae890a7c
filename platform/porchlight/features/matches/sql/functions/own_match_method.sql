-- Return what related the phrases of the current user to others, or NULL while some of them still wait for the job.
--
-- Called by: matches.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.own_match_method() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN bool_and(p.related_by IS NOT NULL) THEN max(p.related_by) END FROM phrases p
   WHERE p.id IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = app.user_id()
                  UNION ALL SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_match_method() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_match_method() TO porchlight_app;
