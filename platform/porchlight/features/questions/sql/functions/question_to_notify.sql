-- Return the running job's question with the addresses of both neighbors, while both accounts are active and the asker's
-- address is verified.
--
-- Called by: questions, in the job questions:notify_recipient.
-- SECURITY DEFINER: accounts of other users are behind row level security. The question comes from the job and must be
-- of the job's user.
CREATE OR REPLACE FUNCTION app.question_to_notify()
RETURNS TABLE (id uuid, body text, asker text, reply_to text, name text, email text, email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('questions:notify_recipient');
BEGIN
  RETURN QUERY
  SELECT q.id, q.body, app.shown_name(q.user_id), s.email, p.display_name, u.email, u.email_verified
    FROM questions q JOIN users s ON s.user_id = q.user_id
    JOIN users u ON u.user_id = q.recipient_id JOIN profiles p ON p.user_id = q.recipient_id
   WHERE q.user_id = (args ->> 'user_id')::uuid AND q.id = (args ->> 'question_id')::uuid
     AND s.status = 'active' AND s.email_verified AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.question_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.question_to_notify() TO porchlight_app, porchlight_overseer;
