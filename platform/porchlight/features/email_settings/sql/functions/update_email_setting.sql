-- Turn a kind of email on or off for the person whose link has the token. A link of one kind changes that kind only.
-- Return whether it did.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link changes them without signing in.
CREATE OR REPLACE FUNCTION app.update_email_setting(link uuid, changed text, wanted boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller text := current_setting('app.user_id', true);
  person uuid := (SELECT s.user_id FROM email_settings s
                   WHERE s.token = link AND s.kind IN ('all', changed) AND changed <> 'all');
BEGIN
  IF person IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.user_id', person::text, true);
  INSERT INTO email_settings (user_id, kind, is_on) VALUES (person, changed, wanted)
  ON CONFLICT (user_id, kind) DO UPDATE SET is_on = excluded.is_on, changed_at = excluded.changed_at;
  PERFORM set_config('app.user_id', caller, true);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.update_email_setting(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.update_email_setting(uuid, text, boolean) TO porchlight_app, porchlight_overseer;
