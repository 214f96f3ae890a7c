-- Return the gurus of the current user's waivers with their names. A deleted guru has none.
--
-- Called by: waivers, for the list and for the email with the receipt.
-- SECURITY DEFINER: a user cannot read gurus.
CREATE OR REPLACE FUNCTION app.waiver_gurus() RETURNS TABLE (guru_id uuid, guru_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.character FROM gurus g
   WHERE g.id IN (SELECT w.guru_id FROM waivers w WHERE w.user_id = app.user_id())
$$;
REVOKE ALL ON FUNCTION app.waiver_gurus() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_gurus() TO porchlight_app;
