-- Return the message that the running job emails to the staff.
--
-- Called by: contact, in the job contact:notify_staff.
-- SECURITY DEFINER: the app role may add messages and read nothing. The message's id comes from the job.
CREATE OR REPLACE FUNCTION app.contact_message()
RETURNS TABLE (id uuid, name text, email text, subject text, message text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('contact:notify_staff');
BEGIN
  RETURN QUERY SELECT m.id, m.name, m.email, m.subject, m.message FROM contact_messages m
                WHERE m.id = (args ->> 'message_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.contact_message() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.contact_message() TO porchlight_app, porchlight_overseer;
