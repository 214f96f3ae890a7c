-- Return the skills that the current user could add, as app.skill_to_offer does.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.own_skills_to_offer(max_results integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.skill_to_offer(app.user_id(), max_results)
$$;
REVOKE ALL ON FUNCTION app.own_skills_to_offer(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skills_to_offer(integer) TO porchlight_app;
