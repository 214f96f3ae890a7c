-- Return the name by which other users know a user: of a public profile the full name, of a private one the first name.
-- Never empty, for sentences.
--
-- Called by: the functions that name a user in an email or a list of another user.
-- SECURITY INVOKER: these run as the owner, who sees all profiles. No role may call it: the functions that do have
-- decided whom the caller may know.
CREATE OR REPLACE FUNCTION app.shown_name(wanted uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(nullif(app.public_user(wanted) ->> 'name', ''), 'A neighbor')
$$;
REVOKE ALL ON FUNCTION app.shown_name(uuid) FROM PUBLIC;
