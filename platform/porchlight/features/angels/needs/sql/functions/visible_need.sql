-- Return a need, if the current user may see it.
--
-- Called by: angels, for the page of a need.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.visible_need(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.need_card(n) FROM needs n WHERE n.id = wanted AND app.can_see_need(n)
$$;
REVOKE ALL ON FUNCTION app.visible_need(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.visible_need(uuid) TO porchlight_app, porchlight_overseer;
