-- Expire proposed swap rings that are older than `ttl_days`, and return users around whom to look for new ones: their
-- skills, location or availability changed.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: rings and locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.start_swap_ring_check(max_users integer, ttl_days integer) RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  UPDATE swap_rings SET state = 'expired'
   WHERE state = 'proposed' AND created_at < app.now() - ttl_days * interval '1 day';
  RETURN QUERY SELECT l.user_id FROM user_locations l
                WHERE l.ring_check_due AND l.availability_bits <> 0 AND l.tile >= 0
                ORDER BY l.updated_at LIMIT max_users;
END $$;
REVOKE ALL ON FUNCTION app.start_swap_ring_check(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_swap_ring_check(integer, integer) TO porchlight_app, porchlight_overseer;
