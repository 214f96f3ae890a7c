-- Return the email settings that a link's token is for: the kind, or 'all'; the kinds that are off; and whether the person
-- has a guru's site. With `changed`, a kind is first turned on or off. No row for an unknown token, and for a kind that is
-- not the link's: a link of one kind changes that kind only.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link reads and changes them without signing in.
CREATE OR REPLACE FUNCTION app.email_settings_of(link uuid, changed text, wanted boolean)
RETURNS TABLE (kind text, kinds_off text[], is_guru boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  caller text := current_setting('app.user_id', true);
  found_link email_settings;
BEGIN
  SELECT s.* INTO found_link FROM email_settings s
   WHERE s.token = link AND (changed IS NULL OR s.kind IN ('all', changed) AND changed <> 'all');
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF changed IS NOT NULL THEN
    PERFORM set_config('app.user_id', found_link.user_id::text, true);
    INSERT INTO email_settings (user_id, kind, is_on) VALUES (found_link.user_id, changed, wanted)
    ON CONFLICT (user_id, kind) DO UPDATE SET is_on = excluded.is_on, changed_at = excluded.changed_at;
    PERFORM set_config('app.user_id', caller, true);
  END IF;
  RETURN QUERY
    SELECT found_link.kind, ARRAY(SELECT s.kind FROM email_settings s WHERE s.user_id = found_link.user_id AND NOT s.is_on),
           EXISTS (SELECT FROM memberships m WHERE m.user_id = found_link.user_id);
END $$;
REVOKE ALL ON FUNCTION app.email_settings_of(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_settings_of(uuid, text, boolean) TO porchlight_app;
