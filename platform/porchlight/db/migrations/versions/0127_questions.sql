-- questions

-- file: functions/enqueue_task.sql
-- Add a job of the transaction's tenant or user to the queue and return its id. The arguments cannot name another one.
-- With `once`, of the jobs that wait for the same tenant or user there is at most one of this task; then it may return
-- NULL. Any other task, and a transaction without the tenant or user that the task needs, is an error.
--
-- Called by: `enqueue()` in Python, in the transaction of a request.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_task(task text, args jsonb, once boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = app, pg_temp AS $$
DECLARE
  subject_id uuid := CASE
    WHEN task IN ('leads:notify_guru', 'leads:send_receipt', 'leads:send_reply') THEN app.tenant_id()
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'profiles:send_welcome',
                  'questions:notify_recipient', 'waivers:send_receipt')
      THEN app.user_id()
  END;
BEGIN
  IF subject_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  RETURN app.enqueue(task, args - ARRAY['tenant_id', 'user_id'], CASE WHEN once THEN task || ':' || subject_id END);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_task(text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_task(text, jsonb, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/neighbor_by_handle.sql
-- Return the user id of a public profile, by handle.
--
-- Called by: questions.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.neighbor_by_handle(wanted text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.user_id FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.neighbor_by_handle(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.neighbor_by_handle(text) TO porchlight_app, porchlight_overseer;

-- file: functions/question_card.sql
-- Return a question for the user who asked it or was asked. Only the latter gets the asker's address.
--
-- Called by: questions.
-- SECURITY DEFINER: questions and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.question_card(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', q.id, 'body', q.body, 'mine', q.user_id = app.user_id(), 'asker', app.public_user(q.user_id),
           'created_at', to_char(q.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
           'reply_to', CASE WHEN q.recipient_id = app.user_id() THEN u.email ELSE '' END)
    FROM questions q JOIN users u ON u.user_id = q.user_id
   WHERE q.id = wanted AND u.status = 'active' AND app.user_id() IN (q.user_id, q.recipient_id)
$$;
REVOKE ALL ON FUNCTION app.question_card(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.question_card(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/question_to_notify.sql
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
  SELECT q.id, q.body, a.display_name, s.email, p.display_name, u.email, u.email_verified
    FROM questions q JOIN users s ON s.user_id = q.user_id JOIN profiles a ON a.user_id = q.user_id
    JOIN users u ON u.user_id = q.recipient_id JOIN profiles p ON p.user_id = q.recipient_id
   WHERE q.user_id = (args ->> 'user_id')::uuid AND q.id = (args ->> 'question_id')::uuid
     AND s.status = 'active' AND s.email_verified AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.question_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.question_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/report_subject.sql
-- Return the subject of a report, if it is public: a site, a post (label/slug), a profile (handle) or a listing (id);
-- or a question (id), which only its two neighbors know.
--
-- Called by: app.create_report.
-- SECURITY DEFINER: it reads the rows of all tenants and users.
CREATE OR REPLACE FUNCTION app.report_subject(kind text, name text)
RETURNS TABLE (subject_id uuid, subject_name text, subject_title text, guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.character, g.id FROM gurus g
   WHERE kind = 'site' AND g.label = name AND g.status = 'active'
  UNION ALL
  SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
   WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
     AND g.status = 'active' AND p.status = 'published' AND p.published_at <= now()
  UNION ALL
  SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
  UNION ALL
  SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
   WHERE kind = 'listing' AND u.status = 'active' AND o.visible
     AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
  UNION ALL
  SELECT q.id, q.id::text, left(p.display_name || ' asked: ' || q.body, 500), NULL
    FROM questions q JOIN profiles p ON p.user_id = q.user_id
   WHERE kind = 'question'
     AND q.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
$$;
REVOKE ALL ON FUNCTION app.report_subject(text, text) FROM PUBLIC;
