-- Return the best matches of the current user, as app.skill_matches does.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.own_skill_matches(max_results integer, min_score real)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.skill_matches(app.user_id(), max_results, min_score)
$$;
REVOKE ALL ON FUNCTION app.own_skill_matches(integer, real) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skill_matches(integer, real) TO porchlight_app;
