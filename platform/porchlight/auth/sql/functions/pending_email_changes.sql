-- Return the accounts with a request to change the email address, and since when.
--
-- Called by: auth, in the job auth:sync_emails.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.pending_email_changes()
RETURNS TABLE (user_id uuid, firebase_uid text, requested_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('auth:sync_emails');
  RETURN QUERY SELECT u.user_id, u.firebase_uid, u.email_change_asked_at FROM users u
                WHERE u.email_change_asked_at IS NOT NULL AND u.status = 'active';
END $$;
REVOKE ALL ON FUNCTION app.pending_email_changes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_email_changes() TO porchlight_app, porchlight_overseer;
