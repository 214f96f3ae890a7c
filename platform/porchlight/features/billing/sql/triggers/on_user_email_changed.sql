-- Send a new email address to Stripe, if the user is a customer there.
-- SECURITY DEFINER: the app role may not create writes.
--
-- Fires on: users, when the email address changes. The empty one of a deleted account is not sent.
CREATE OR REPLACE FUNCTION app.on_user_email_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.send_customer_email(NEW.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_email_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_email_changed AFTER UPDATE OF email ON users
    FOR EACH ROW WHEN (NEW.email <> OLD.email AND NEW.email <> '') EXECUTE FUNCTION app.on_user_email_changed();
