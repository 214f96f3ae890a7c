-- Return the email settings that a link's token is for: the kind, or 'all'; the kinds that are off; and whether the person
-- has a guru's site. No row for an unknown token.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link reads them without signing in.
CREATE OR REPLACE FUNCTION app.email_settings_of(link uuid, OUT kind text, OUT kinds_off text[], OUT is_guru boolean)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.kind, ARRAY(SELECT s.kind FROM email_settings s WHERE s.user_id = l.user_id AND NOT s.is_on),
         EXISTS (SELECT FROM memberships m WHERE m.user_id = l.user_id)
    FROM email_settings l WHERE l.token = link
$$;
REVOKE ALL ON FUNCTION app.email_settings_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_settings_of(uuid) TO porchlight_app, porchlight_overseer;
