-- Store the completed jobs and ratings of the angel who completed the running job's need, and return the angel.
-- Idempotent. The function restores the user that was set before.
--
-- Called by: angels, in the job angels:update_counters.
-- SECURITY DEFINER: requests cannot write these columns.
CREATE OR REPLACE FUNCTION app.update_angel_counters() RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  counted record;
BEGIN
  PERFORM app.running_job('angels:update_counters');
  FOR counted IN SELECT * FROM app.angel_counters() LOOP
    PERFORM set_config('app.user_id', counted.user_id::text, true);
    UPDATE angels a SET jobs = counted.jobs, ratings = counted.ratings, rating_sum = counted.rating_sum
     WHERE a.user_id = counted.user_id AND a.service_id = counted.service_id;
    RETURN NEXT counted.user_id;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.update_angel_counters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.update_angel_counters() TO porchlight_app, porchlight_overseer;
