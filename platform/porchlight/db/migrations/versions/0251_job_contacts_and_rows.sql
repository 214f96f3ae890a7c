-- job contacts and rows

-- file: functions/email_opt_out.sql
-- Return whether a person wants a kind of email from the running job, with the tokens for its links: of this kind, and
-- of the page with all their settings. Without `person`, it is the owner of the job's guru; no row without one.
--
-- Called by: emails, in jobs.
-- SECURITY DEFINER: settings of other users are behind row level security. Requests run no job, so they get no token.
CREATE OR REPLACE FUNCTION app.email_opt_out(wanted text, person uuid)
RETURNS TABLE (is_on boolean, token uuid, page_token uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  args jsonb := (SELECT r.args FROM app.running_task() r);
  caller text := current_setting('app.user_id', true);
  subscriber uuid := coalesce(person, (SELECT m.user_id FROM memberships m
                                        WHERE m.tenant_id = (args ->> 'tenant_id')::uuid LIMIT 1));
BEGIN
  PERFORM set_config('app.user_id', subscriber::text, true);
  INSERT INTO email_settings (user_id, kind)
  SELECT u.user_id, k.kind FROM users u, (VALUES ('all'), (wanted)) k (kind)
   WHERE u.user_id = subscriber AND u.status <> 'erased' ON CONFLICT DO NOTHING;
  PERFORM set_config('app.user_id', caller, true);
  RETURN QUERY SELECT s.is_on, s.token, p.token FROM email_settings s JOIN email_settings p USING (user_id)
                WHERE s.user_id = subscriber AND s.kind = wanted AND p.kind = 'all';
END $$;
REVOKE ALL ON FUNCTION app.email_opt_out(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_opt_out(text, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/enqueue_task.sql
-- Add a job of the transaction's tenant or user to the queue and return its id. The arguments cannot name another one.
-- With `once`, of the jobs that wait for the same tenant or user there is at most one of this task and `start_at`; then it
-- may return NULL. Any other task, and a transaction without the tenant or user that the task needs, is an error.
--
-- Called by: `enqueue()` in Python, in the transaction of a request or a job. Some tasks only start from the job that
-- decides on them.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_task(task text, args jsonb, once boolean, start_at timestamptz DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = app, pg_temp AS $$
DECLARE
  subject_id uuid := CASE
    WHEN task IN ('leads:notify_guru', 'leads:send_receipt', 'leads:send_reply') THEN app.tenant_id()
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'profiles:send_welcome',
                  'questions:notify_recipient', 'waivers:send_receipt')
      THEN app.user_id()
    WHEN task IN ('documents:notify_expired', 'documents:send_expiry_reminder')
      THEN (SELECT app.user_id() FROM app.running_task() r WHERE r.task = 'documents:process_expiry')
    WHEN task = 'leads:send_digest'
      THEN (SELECT app.tenant_id() FROM app.running_task() r
             WHERE r.task = 'leads:notify_guru' AND r.args ->> 'tenant_id' = app.tenant_id()::text)
  END;
BEGIN
  IF subject_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  RETURN app.enqueue(task, args - ARRAY['tenant_id', 'user_id'],
                     CASE WHEN once THEN concat_ws(':', task, subject_id, extract(epoch FROM start_at)::bigint) END,
                     NULL, start_at);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_task(text, jsonb, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_task(text, jsonb, boolean, timestamptz) TO porchlight_app, porchlight_overseer;

-- file: functions/job_contacts.sql
-- Return the people whom the running job emails or names, while their accounts are active: those of the row that its
-- arguments name, which must be of the job's tenant or user. `part` says what they are to the row, and `details` what the
-- job may know of the row. `name` is the name in an email to them, `shown_name` the one that others see. The address of a
-- swap ring's member is empty until it is verified.
--
-- Called by: leads, questions, angels and matches, in the jobs named here. Any other job gets an error.
-- SECURITY DEFINER: accounts and rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_contacts()
RETURNS TABLE (part text, user_id uuid, email text, email_verified boolean, name text, shown_name text, details jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  job record := app.running_task();
  tenant uuid := (job.args ->> 'tenant_id')::uuid;
  author uuid := (job.args ->> 'user_id')::uuid;
BEGIN
  IF job.task NOT IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply', 'questions:notify_recipient',
                      'angels:notify_owner', 'angels:notify_result', 'matches:notify_members') THEN
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no contacts', job.task);
  END IF;
  RETURN QUERY
  SELECT c.part, u.user_id, CASE WHEN u.email_verified OR c.part <> 'member' THEN u.email ELSE '' END, u.email_verified, p.display_name, app.shown_name(u.user_id), c.details
    FROM (
      -- The owner of the job's guru.
      SELECT 'owner' AS part, m.user_id, '{}'::jsonb AS details, 0 AS place, NULL::uuid AS row_id
        FROM memberships m
       WHERE m.tenant_id = tenant AND job.task IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply')
       UNION ALL
      -- Who asked the job's question, and who was asked.
      SELECT a.part, a.user_id, '{}', 0, q.id FROM questions q
       CROSS JOIN LATERAL (VALUES ('asker', q.user_id), ('recipient', q.recipient_id)) a (part, user_id)
       WHERE q.user_id = author AND q.id = (job.args ->> 'question_id')::uuid AND job.task = 'questions:notify_recipient'
       UNION ALL
      -- Who made the job's offer, and who needs help, while the offer can be accepted.
      SELECT a.part, a.user_id, jsonb_build_object('title', n.title), 0, o.id
        FROM need_offers o JOIN needs n ON n.id = o.need_id
       CROSS JOIN LATERAL (VALUES ('angel', o.user_id), ('owner', n.user_id)) a (part, user_id)
       WHERE o.user_id = author AND o.id = (job.args ->> 'offer_id')::uuid AND job.task = 'angels:notify_owner'
         AND o.status = 'open' AND n.status = 'open'
       UNION ALL
      -- Who made an open offer on the job's need.
      SELECT 'angel', o.user_id, jsonb_build_object('offer_id', o.id, 'price_cents', o.price_cents), 0, o.id
        FROM needs n JOIN need_offers o ON o.need_id = n.id
       WHERE n.user_id = author AND n.id = (job.args ->> 'need_id')::uuid AND job.task = 'angels:notify_result'
         AND o.status = 'open'
       UNION ALL
      -- The members of the job's swap ring, in their order.
      SELECT 'member', m.user_id, jsonb_build_object('state', r.state, 'teaches', m.teaches), m.place, r.id
        FROM swap_rings r JOIN swap_ring_members m ON m.ring_id = r.id
       WHERE r.id = (job.args ->> 'ring_id')::uuid AND job.task = 'matches:notify_members'
    ) c JOIN users u ON u.user_id = c.user_id LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.status = 'active'
   ORDER BY c.place, c.row_id;
END $$;
REVOKE ALL ON FUNCTION app.job_contacts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_contacts() TO porchlight_app, porchlight_overseer;

-- file: functions/job_rows.sql
-- Return the rows of other users, or of no user, that the running job works on, at most `max_rows`. The caller names the
-- columns, which are those of the job's branch. A job whose arguments name a row gets only that one. `due_on`: the day by
-- which a document expires.
--
-- Called by: the jobs named here, each as their first step; what they then change, they change in the isolation of the
-- user. Any other job gets an error.
-- SECURITY DEFINER: rows of other users are behind row level security, and the app role cannot read phrases, contact
-- messages and the addresses of deleted accounts.
CREATE OR REPLACE FUNCTION app.job_rows(max_rows integer, due_on date DEFAULT NULL) RETURNS SETOF record
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  job record := app.running_task();
BEGIN
  CASE job.task
    WHEN 'angels:expire_needs' THEN  -- whose owners' needs have passed their last day
      RETURN QUERY SELECT DISTINCT n.user_id FROM needs n
                    WHERE n.status = 'open' AND n.expires_at <= app.now() LIMIT max_rows;
    WHEN 'auth:sync_emails' THEN  -- who asked to change their email address, and since when
      RETURN QUERY SELECT u.user_id, u.firebase_uid, u.email_change_asked_at FROM users u
                    WHERE u.email_change_asked_at IS NOT NULL AND u.status = 'active' LIMIT max_rows;
    WHEN 'billing:send_reminders' THEN  -- subscriptions with a failed payment, and the day of the last reminder of it
      RETURN QUERY SELECT s.user_id, s.id, s.past_due_since,
                          (SELECT max(n.day)::integer FROM plan_notices n WHERE n.user_id = s.user_id
                              AND n.subscription_id = s.id AND n.past_due_since = s.past_due_since)
                     FROM subscriptions s WHERE s.state = 'past_due' LIMIT max_rows;
    WHEN 'contact:notify_staff' THEN  -- the message of the job
      RETURN QUERY SELECT m.id, m.name, m.email, m.subject, m.message FROM contact_messages m
                    WHERE m.id = (job.args ->> 'message_id')::uuid;
    WHEN 'contact:send_digest' THEN  -- the messages that wait for a digest, the oldest first
      RETURN QUERY SELECT m.id, m.name, m.email, m.subject, m.message FROM contact_messages m
                    WHERE m.awaits_digest ORDER BY m.created_at, m.id LIMIT max_rows;
    WHEN 'documents:process_expiry' THEN
      -- Approved documents that expire by `due_on`, with the last reminder of it, and whether the owner sent a later one of
      -- the same type and category.
      RETURN QUERY SELECT d.user_id, d.id, d.expires_on,
                          (SELECT min(r.days)::integer FROM document_reminders r
                            WHERE r.user_id = d.user_id AND r.document_id = d.id),
                          EXISTS (SELECT FROM documents o
                                   WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type
                                     AND o.category = d.category AND o.status IN ('approved', 'pending')
                                     AND (o.expires_on IS NULL OR o.expires_on > d.expires_on))
                     FROM documents d WHERE d.status = 'approved' AND d.expires_on <= due_on
                    ORDER BY d.user_id LIMIT max_rows;
    WHEN 'embeddings:relate_phrases' THEN  -- the phrases that wait to be related to others, those in use first
      RETURN QUERY SELECT p.id, p.words, p.in_use FROM phrases p WHERE p.related_by IS NULL
                    ORDER BY p.in_use DESC, p.id LIMIT max_rows;
    WHEN 'listings:sync_profiles' THEN  -- users without a location
      RETURN QUERY SELECT p.user_id FROM profiles p LEFT JOIN user_locations l ON l.user_id = p.user_id
                    WHERE l.user_id IS NULL OR l.tile < 0 LIMIT max_rows;
    WHEN 'plans:apply_due_plans' THEN  -- users whose plan may have ended
      RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= app.now()
                    ORDER BY u.plan_check_at LIMIT max_rows;
    WHEN 'profiles:send_account_deleted' THEN  -- the address and the name of the job's deleted account
      RETURN QUERY SELECT p.id, p.recipient, p.name FROM pending_account_emails p
                    WHERE p.id = (job.args ->> 'pending_email_id')::uuid;
    WHEN 'search:send_alerts' THEN
      -- Saved searches of active users with a verified address, those checked longest ago first, with what an email about
      -- new results needs. None while the flag "skillListing" is off: its results would lead to pages that are off.
      RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                     FROM saved_searches s
                     JOIN users u ON u.user_id = s.user_id AND u.status = 'active' AND u.email_verified
                     JOIN profiles p ON p.user_id = s.user_id
                    WHERE coalesce((SELECT f.enabled FROM flag_settings f WHERE f.name = 'skillListing'), true)
                    ORDER BY s.seen_at LIMIT max_rows;
    ELSE
      RAISE insufficient_privilege USING MESSAGE = format('the job %s has no rows of others', job.task);
  END CASE;
END $$;
REVOKE ALL ON FUNCTION app.job_rows(integer, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_rows(integer, date) TO porchlight_app, porchlight_overseer;

-- file: functions/running_job.sql
-- Return the arguments of the transaction's running job, which must be of the given task; anything else is an error.
--
-- Called by: the functions that read rows of other users for a job. They take the ids from here and not from their
-- caller, so the app role can read through them only what a job that was enqueued for it may read.
-- SECURITY INVOKER: these run as the owner.
CREATE OR REPLACE FUNCTION app.running_job(task text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = jobs, pg_temp AS $$
DECLARE
  args jsonb := (SELECT j.args FROM procrastinate_jobs j
                  WHERE j.id = nullif(current_setting('app.job_id', true), '')::bigint
                    AND j.task_name = running_job.task AND j.status = 'doing');
BEGIN
  IF args IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction is not of a running job %s', task);
  END IF;
  RETURN args;
END $$;
REVOKE ALL ON FUNCTION app.running_job(text) FROM PUBLIC;

-- file: functions/running_task.sql
-- Return the transaction's running job: the name of its task and its arguments; without one, an error.
--
-- Called by: the functions that serve several tasks (app.job_contacts, app.job_rows, app.enqueue_task, app.email_opt_out)
-- and app.running_job.
-- SECURITY INVOKER: these run as the owner. Only it and procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.running_task(OUT task text, OUT args jsonb)
LANGUAGE plpgsql STABLE SET search_path = jobs, pg_temp AS $$
BEGIN
  SELECT j.task_name, j.args INTO task, args FROM procrastinate_jobs j
   WHERE j.id = nullif(current_setting('app.job_id', true), '')::bigint AND j.status = 'doing';
  IF task IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this transaction is not of a running job';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.running_task() FROM PUBLIC;
