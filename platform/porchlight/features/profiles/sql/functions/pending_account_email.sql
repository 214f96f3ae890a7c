-- Return the address and the name of the deleted account that the running job sends the last email to.
--
-- Called by: profiles, in the job profiles:send_account_deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses. The row's id comes from the job.
CREATE OR REPLACE FUNCTION app.pending_account_email() RETURNS TABLE (id uuid, recipient text, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('profiles:send_account_deleted');
BEGIN
  RETURN QUERY SELECT p.id, p.recipient, p.name FROM pending_account_emails p
                WHERE p.id = (args ->> 'pending_email_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.pending_account_email() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_account_email() TO porchlight_app, porchlight_overseer;
