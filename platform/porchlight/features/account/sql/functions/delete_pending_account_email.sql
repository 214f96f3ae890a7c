-- Delete the address of a deleted account after the running job sent the last email to it.
--
-- Called by: account, in the job profiles:send_account_deleted.
-- SECURITY DEFINER: the app role cannot touch the table of these addresses. The row's id comes from the job.
CREATE OR REPLACE FUNCTION app.delete_pending_account_email() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('profiles:send_account_deleted');
BEGIN
  DELETE FROM pending_account_emails p WHERE p.id = (args ->> 'pending_email_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.delete_pending_account_email() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_pending_account_email() TO porchlight_app, porchlight_overseer;
