-- Note that the rings around these users are found.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.finish_swap_ring_check(user_ids uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  PERFORM app.set_ring_check_due(ARRAY(SELECT u.id FROM unnest(user_ids) AS u (id) ORDER BY u.id), false);
END $$;
REVOKE ALL ON FUNCTION app.finish_swap_ring_check(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.finish_swap_ring_check(uuid[]) TO porchlight_app, porchlight_overseer;
