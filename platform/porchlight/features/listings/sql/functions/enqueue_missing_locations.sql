-- Start the job that finds a user's location for each user without one.
--
-- Called by: listings, in the job listings:sync_profiles.
-- SECURITY DEFINER: profiles of other users are behind row level security, and the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_missing_locations() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('listings:sync_profiles');
  PERFORM app.enqueue('listings:geocode_user', jsonb_build_object('user_id', p.user_id),
                      'listings:geocode_user:' || p.user_id)
     FROM profiles p LEFT JOIN user_locations l ON l.user_id = p.user_id WHERE l.user_id IS NULL OR l.tile < 0;
END $$;
REVOKE ALL ON FUNCTION app.enqueue_missing_locations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_missing_locations() TO porchlight_app, porchlight_overseer;
