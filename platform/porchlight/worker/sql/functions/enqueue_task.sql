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
