-- Return the open and agreed swap rings of the current user, with the other two members.
--
-- Called by: matches.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.own_swap_rings()
RETURNS TABLE (id uuid, state text, availability_bits integer, created_at timestamptz, members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.swap_rings_of(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_swap_rings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_swap_rings() TO porchlight_app;
