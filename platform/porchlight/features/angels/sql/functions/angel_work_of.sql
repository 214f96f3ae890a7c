-- Return the services that a user with a public profile helps with, with the price, the jobs done and the ratings, and the
-- minutes in which they usually answer (app.angel_answer_minutes). No row for an unknown or hidden profile.
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: angels and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_work_of(wanted text, days integer, min_answers integer, open_after interval)
RETURNS TABLE (services jsonb, answer_minutes integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(w.services, '[]'),
         CASE WHEN w.services IS NOT NULL
              THEN app.angel_answer_minutes(p.user_id, days, min_answers, open_after) END
    FROM profiles p JOIN users u ON u.user_id = p.user_id CROSS JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object(
               'id', s.id, 'title', s.title, 'rate_cents', a.rate_cents, 'jobs', a.jobs, 'ratings', a.ratings,
               'rating_sum', a.rating_sum) ORDER BY a.jobs DESC, s.position, s.id) AS services
        FROM angels a JOIN angel_services s ON s.id = a.service_id WHERE a.user_id = p.user_id AND a.active) w
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.angel_work_of(text, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_work_of(text, integer, integer, interval) TO porchlight_app, porchlight_overseer;
