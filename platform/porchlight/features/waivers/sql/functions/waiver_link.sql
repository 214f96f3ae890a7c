-- Return the link of one of the current user's waivers, or no row.
--
-- Called by: waivers, for the receipt.
-- SECURITY DEFINER: the app role cannot read waiver_links.
CREATE OR REPLACE FUNCTION app.waiver_link(waiver uuid) RETURNS SETOF waiver_links
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.* FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
   WHERE w.user_id = app.user_id() AND w.id = waiver
$$;
REVOKE ALL ON FUNCTION app.waiver_link(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_link(uuid) TO porchlight_app;
