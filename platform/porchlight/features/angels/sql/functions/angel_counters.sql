-- Count the completed needs and the ratings of the angel who completed the running job's need, for its service.
--
-- Called by: app.update_angel_counters.
-- SECURITY DEFINER: the angel's needs are rows of many owners, behind row level security. The need comes from the job
-- and must be of the job's user.
CREATE OR REPLACE FUNCTION app.angel_counters()
RETURNS TABLE (user_id uuid, service_id text, jobs integer, ratings integer, rating_sum integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:update_counters');
BEGIN
  RETURN QUERY
  SELECT d.accepted_user_id, d.service_id, count(*)::integer, count(d.rating)::integer,
         coalesce(sum(d.rating), 0)::integer
    FROM needs n JOIN needs d ON d.accepted_user_id = n.accepted_user_id AND d.service_id = n.service_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid AND d.status = 'done'
   GROUP BY d.accepted_user_id, d.service_id;
END $$;
REVOKE ALL ON FUNCTION app.angel_counters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_counters() TO porchlight_overseer;
