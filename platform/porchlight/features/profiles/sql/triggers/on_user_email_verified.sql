-- Start the job that welcomes a user once the email address is verified: an address that was only typed belongs to
-- anyone, who gets no email for it. Whether the user is new, the job decides.
-- SECURITY DEFINER: the app role may not call app.enqueue.
--
-- Fires on: users, when the address is verified.
CREATE OR REPLACE FUNCTION app.on_user_email_verified() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.enqueue('profiles:send_welcome', jsonb_build_object('user_id', NEW.user_id),
                      'profiles:send_welcome:' || NEW.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_verified() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_verified AFTER UPDATE OF email_verified ON users
    FOR EACH ROW WHEN (NEW.email_verified AND NOT OLD.email_verified) EXECUTE FUNCTION app.on_user_email_verified();
