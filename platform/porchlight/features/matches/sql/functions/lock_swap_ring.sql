-- Lock a swap ring of the current user, who is `me`, until the transaction ends and return its state.
--
-- Called by: matches, before a member accepts or declines.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lock_swap_ring(me uuid, wanted uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.state FROM swap_rings r
   WHERE r.id = wanted AND EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = r.id AND m.user_id = me
                                           AND me = app.user_id())
     FOR UPDATE OF r
$$;
REVOKE ALL ON FUNCTION app.lock_swap_ring(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_swap_ring(uuid, uuid) TO porchlight_app, porchlight_overseer;
