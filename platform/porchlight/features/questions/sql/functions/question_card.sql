-- Return a question for the user who asked it or was asked. Only the latter gets the asker's address.
--
-- Called by: questions.
-- SECURITY DEFINER: questions and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.question_card(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', q.id, 'body', q.body, 'mine', q.user_id = app.user_id(), 'asker', (SELECT s.card FROM shown_people s WHERE s.user_id = q.user_id),
           'created_at', to_char(q.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'reply_to', CASE WHEN q.recipient_id = app.user_id() THEN u.email ELSE '' END)
    FROM questions q JOIN users u ON u.user_id = q.user_id
   WHERE q.id = wanted AND u.status = 'active' AND app.user_id() IN (q.user_id, q.recipient_id)
$$;
REVOKE ALL ON FUNCTION app.question_card(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.question_card(uuid) TO porchlight_app, porchlight_overseer;
