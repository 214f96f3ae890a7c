-- Set whether the job that finds swap rings checks these users. The function restores the user that was set before.
--
-- Called by: app.request_ring_checks and app.finish_swap_ring_check.
-- The owner role may write only the row of the user that is set.
CREATE OR REPLACE FUNCTION app.set_ring_check_due(user_ids uuid[], is_due boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  owner_id uuid;
BEGIN
  FOREACH owner_id IN ARRAY user_ids LOOP
    PERFORM set_config('app.user_id', owner_id::text, true);
    UPDATE user_locations SET ring_check_due = is_due WHERE user_id = owner_id AND ring_check_due <> is_due;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.set_ring_check_due(uuid[], boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.set_ring_check_due(uuid[], boolean) TO porchlight_overseer;
