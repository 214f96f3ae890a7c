-- Return one page of the reviews of an angel with a public profile, the newest first. Pages continue after
-- (after_at, after_id).
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: needs and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.reviews_of(
  wanted text, after_at timestamptz, after_id uuid, max_rows integer)
RETURNS TABLE (reviewed_at timestamptz, need_id uuid, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.updated_at, n.id, app.review_card(n)
    FROM profiles p JOIN users u ON u.user_id = p.user_id JOIN needs n ON n.accepted_user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND n.status = 'done' AND n.rating IS NOT NULL
     AND (after_at IS NULL OR (n.updated_at, n.id) < (after_at, after_id))
   ORDER BY n.updated_at DESC, n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.reviews_of(text, timestamptz, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.reviews_of(text, timestamptz, uuid, integer) TO porchlight_app, porchlight_overseer;
