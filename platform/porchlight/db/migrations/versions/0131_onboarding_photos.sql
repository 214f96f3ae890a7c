-- onboarding photos

-- file: functions/photo.sql
-- Return a profile photo or a photo of the guru setup by its id.
--
-- Called by: profiles, for each photo.
-- SECURITY DEFINER: a photo is public to everyone who has its id, and its row is behind row level security.
CREATE OR REPLACE FUNCTION app.photo(wanted uuid) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT body FROM profile_photos WHERE id = wanted
  UNION ALL
  SELECT body FROM onboarding_photos WHERE id = wanted
$$;
REVOKE ALL ON FUNCTION app.photo(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.photo(uuid) TO porchlight_app, porchlight_overseer;
