-- Return the members of the swap ring that the running job informs, in their order, without deleted and
-- suspended users. The address is empty until it is verified.
--
-- Called by: matches, in the job matches:notify_members.
-- SECURITY DEFINER: a ring belongs to three users. The ring's id comes from the job.
CREATE OR REPLACE FUNCTION app.swap_ring_to_notify()
RETURNS TABLE (ring_id uuid, state text, user_id uuid, email text, name text, teaches text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('matches:notify_members');
BEGIN
  RETURN QUERY SELECT r.id, r.state, m.user_id,
                      CASE WHEN u.email_verified THEN u.email ELSE '' END, app.shown_name(m.user_id), m.teaches
                 FROM swap_rings r
                 JOIN swap_ring_members m ON m.ring_id = r.id JOIN users u ON u.user_id = m.user_id
                WHERE r.id = (args ->> 'ring_id')::uuid AND u.status = 'active' ORDER BY m.place;
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_to_notify() TO porchlight_app, porchlight_overseer;
