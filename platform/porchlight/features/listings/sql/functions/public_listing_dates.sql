-- Return the newest visible listings with the time of their last change.
--
-- Called by: the sitemap of the main platform.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.public_listing_dates(max_rows integer) RETURNS TABLE (id uuid, updated_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.updated_at
    FROM skill_offers o JOIN users u ON u.user_id = o.user_id
   WHERE o.visible AND u.status = 'active'
   ORDER BY o.created_at DESC, o.id DESC
   LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.public_listing_dates(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.public_listing_dates(integer) TO porchlight_app, porchlight_overseer;
