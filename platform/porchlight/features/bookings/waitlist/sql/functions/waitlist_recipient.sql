-- Return the verified address of the person on a waitlist whom the running job tells. NULL without one, or if the
-- account was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_waitlist_canceled.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.waitlist_recipient() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_waitlist_canceled');
BEGIN
  RETURN (SELECT u.email FROM waitlist w JOIN users u ON u.user_id = w.person_id
           WHERE w.tenant_id = (args ->> 'tenant_id')::uuid AND w.appointment_id = (args ->> 'appointment_id')::uuid
             AND w.number = (args ->> 'number')::integer AND u.status = 'active'
             AND u.email_verified);
END $$;
REVOKE ALL ON FUNCTION app.waitlist_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waitlist_recipient() TO porchlight_app, porchlight_overseer;
