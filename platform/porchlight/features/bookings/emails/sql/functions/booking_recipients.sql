-- Return the addresses of both parties of the running job's booking: of the person, and of the account that owns the
-- guru, and whether they are verified. NULL for an account that was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_emails.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.booking_recipients(
  OUT person_email text, OUT guru_email text, OUT person_verified boolean, OUT guru_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_emails');
BEGIN
  SELECT u.email, u.email_verified INTO person_email, person_verified
    FROM bookings b JOIN users u ON u.user_id = b.person_id
   WHERE b.tenant_id = (args ->> 'tenant_id')::uuid AND b.id = (args ->> 'booking_id')::uuid AND u.status = 'active';
  SELECT u.email, u.email_verified INTO guru_email, guru_verified
    FROM memberships m JOIN users u ON u.user_id = m.user_id
   WHERE m.tenant_id = (args ->> 'tenant_id')::uuid AND u.status = 'active' LIMIT 1;
END $$;
REVOKE ALL ON FUNCTION app.booking_recipients() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_recipients() TO porchlight_app, porchlight_overseer;
