-- Store the current user's email address for the last email after the account is deleted, and start that job. Only a
-- verified address gets it: with others, registering and deleting would send email to anyone.
--
-- Called by: account, when an account is deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses.
CREATE OR REPLACE FUNCTION app.queue_account_deleted_email(new_id uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO pending_account_emails (id, recipient, name)
  SELECT new_id, u.email, coalesce(p.display_name, '')
    FROM users u LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.user_id = app.user_id() AND u.email <> '' AND u.email_verified;
  IF FOUND THEN
    PERFORM app.enqueue('profiles:send_account_deleted', jsonb_build_object('pending_email_id', new_id), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.queue_account_deleted_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_account_deleted_email(uuid) TO porchlight_app;
