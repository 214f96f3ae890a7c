-- Record that the messages of a sent digest no longer wait.
--
-- Called by: contact, in the job contact:send_digest.
-- SECURITY DEFINER: the app role may not change contact_messages.
CREATE OR REPLACE FUNCTION app.finish_contact_digest(sent uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('contact:send_digest');
  UPDATE contact_messages SET awaits_digest = false WHERE id = ANY(sent);
END $$;
REVOKE ALL ON FUNCTION app.finish_contact_digest(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.finish_contact_digest(uuid[]) TO porchlight_app, porchlight_overseer;
