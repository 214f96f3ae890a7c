-- Return a photo of a need that the current user may see, unless the neighbor who needs help is suspended.
--
-- Called by: angels, for each photo.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.body FROM need_photos p JOIN needs n ON n.user_id = p.user_id AND n.id = p.need_id
    JOIN users u ON u.user_id = n.user_id
   WHERE p.id = wanted AND u.status = 'active' AND app.can_see_need(n)
$$;
REVOKE ALL ON FUNCTION app.need_photo(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_photo(uuid) TO porchlight_app, porchlight_overseer;
