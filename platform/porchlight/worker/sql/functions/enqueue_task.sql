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
    WHEN task = 'busy_sources:read' THEN app.acting_tenant_id()  -- not for visitors of the site
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'notifications:deliver',
                  'notifications:release_device', 'notifications:send_test', 'profiles:send_welcome', 'waivers:send_receipt')
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
