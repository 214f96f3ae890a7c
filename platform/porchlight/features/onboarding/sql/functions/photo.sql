-- Return a profile photo or a photo of the guru setup by its id: for others only while the account is active, the
-- profile is public, and no site of the guru is suspended.
--
-- Called by: profiles, for each photo.
-- SECURITY DEFINER: a photo is public to everyone who has its id, and its row is behind row level security.
CREATE OR REPLACE FUNCTION app.photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.body FROM profile_photos f JOIN users u ON u.user_id = f.user_id JOIN profiles p ON p.user_id = f.user_id
   WHERE f.id = wanted AND u.status = 'active' AND (p.is_public OR f.user_id = app.user_id())
  UNION ALL
  SELECT f.body FROM onboarding_photos f JOIN users u ON u.user_id = f.user_id
   WHERE f.id = wanted AND u.status = 'active' AND (f.user_id = app.user_id() OR NOT EXISTS (
           SELECT FROM memberships m JOIN gurus g ON g.id = m.tenant_id
            WHERE m.user_id = f.user_id AND g.status = 'suspended'))
$$;
REVOKE ALL ON FUNCTION app.photo(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.photo(uuid) TO porchlight_app, porchlight_overseer;
