-- Store the completed jobs and ratings of the angel who completed the running job's need, and return the angel.
-- Idempotent. The function restores the user that was set before.
--
-- Called by: angels, in the job angels:update_counters.
-- SECURITY DEFINER: requests cannot write these columns, and the angel's needs are rows of many owners, behind row level
-- security. The need comes from the job and must be of the job's user.
CREATE OR REPLACE FUNCTION app.update_angel_counters() RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  args jsonb := app.running_job('angels:update_counters');
  counted record;
BEGIN
  FOR counted IN
    SELECT d.accepted_user_id AS user_id, d.service_id, count(*)::integer AS jobs, count(d.rating)::integer AS ratings,
           coalesce(sum(d.rating), 0)::integer AS rating_sum
      FROM needs n JOIN needs d ON d.accepted_user_id = n.accepted_user_id AND d.service_id = n.service_id
     WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid AND d.status = 'done'
     GROUP BY d.accepted_user_id, d.service_id
  LOOP
    PERFORM set_config('app.user_id', counted.user_id::text, true);
    UPDATE angels a SET jobs = counted.jobs, ratings = counted.ratings, rating_sum = counted.rating_sum
     WHERE a.user_id = counted.user_id AND a.service_id = counted.service_id;
    RETURN NEXT counted.user_id;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.update_angel_counters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.update_angel_counters() TO porchlight_app, porchlight_overseer;
