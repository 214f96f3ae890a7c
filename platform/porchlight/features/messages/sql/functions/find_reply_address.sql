-- Return the side of a thread that a token of a reply address names, with the verified address of its person; no row for
-- an unknown token, and for an account that is not active or has no verified address.
--
-- Called by: messages, for an answer by email.
-- SECURITY DEFINER: no one is signed in. The token is in the emails to that person only.
CREATE OR REPLACE FUNCTION app.find_reply_address(token uuid)
RETURNS TABLE (user_id uuid, thread_id uuid, email text, side text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.user_id, m.thread_id, lower(u.email), m.side FROM thread_members m JOIN users u ON u.user_id = m.user_id
   WHERE m.reply_token = token AND u.status = 'active' AND u.email_verified AND u.email <> ''
$$;
REVOKE ALL ON FUNCTION app.find_reply_address(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_reply_address(uuid) TO porchlight_app;
