-- Return the verified address of the account that owns the running job's guru. NULL without one, or if the account was
-- deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_agenda.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.agenda_recipient() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_agenda');
BEGIN
  RETURN (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
           WHERE m.tenant_id = (args ->> 'tenant_id')::uuid AND u.status = 'active' AND u.email_verified LIMIT 1);
END $$;
REVOKE ALL ON FUNCTION app.agenda_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.agenda_recipient() TO porchlight_app, porchlight_overseer;
