-- Return a listing's photo, or its thumbnail. `visible` is false when only the owner may see it.
--
-- Called by: listings, for each photo.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.listing_photo(wanted uuid, want_thumbnail boolean)
RETURNS TABLE (body bytea, visible boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN want_thumbnail THEN f.thumbnail ELSE f.body END, f.visible
    FROM (SELECT p.*, o.visible AND NOT p.over_limit AND u.status = 'active' AS visible FROM listing_photos p
            JOIN skill_offers o ON o.user_id = p.user_id AND o.id = p.offer_id
            JOIN users u ON u.user_id = p.user_id WHERE p.id = wanted) f
   WHERE f.visible OR f.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.listing_photo(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.listing_photo(uuid, boolean) TO porchlight_app, porchlight_overseer;
