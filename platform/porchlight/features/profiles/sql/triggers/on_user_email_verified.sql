-- Welcome a new user once the email address is verified: an address that was only typed belongs to anyone, who gets no
-- email for it.
-- SECURITY DEFINER: the app role may not call app.enqueue.
--
-- Fires on: users, when the address is verified.
CREATE OR REPLACE FUNCTION app.on_user_email_verified() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- Later, the address is a new one of a user who was welcomed.
  IF EXISTS (SELECT FROM profiles p
              WHERE p.user_id = NEW.user_id AND p.registered_at > app.now() - interval '7 days') THEN
    PERFORM app.enqueue('profiles:send_welcome', jsonb_build_object('user_id', NEW.user_id),
                        'profiles:send_welcome:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_verified() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_verified AFTER UPDATE OF email_verified ON users
    FOR EACH ROW WHEN (NEW.email_verified AND NOT OLD.email_verified) EXECUTE FUNCTION app.on_user_email_verified();
