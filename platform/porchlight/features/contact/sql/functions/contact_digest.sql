-- Return the first messages that wait for a digest, the oldest first.
--
-- Called by: contact, in the job contact:send_digest.
-- SECURITY DEFINER: the app role may add messages and read nothing.
CREATE OR REPLACE FUNCTION app.contact_digest(max_messages integer)
RETURNS TABLE (id uuid, name text, email text, subject text, message text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('contact:send_digest');
  RETURN QUERY SELECT m.id, m.name, m.email, m.subject, m.message FROM contact_messages m
                WHERE m.awaits_digest ORDER BY m.created_at, m.id LIMIT max_messages;
END $$;
REVOKE ALL ON FUNCTION app.contact_digest(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.contact_digest(integer) TO porchlight_app, porchlight_overseer;
