-- hidden photos

-- file: functions/need_photo.sql
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

-- file: functions/photo.sql
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
