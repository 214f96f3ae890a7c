-- Add a job to the queue and return its id. The tenant and the user of the transaction are added to the arguments that
-- do not name them. Returns NULL when a job with the same queueing lock already waits. Without a lock the plain insert
-- is cheaper.
--
-- Called by: the service role, app.enqueue_task, and the functions and triggers that start a job. The app role may not
-- call it: its arguments decide whose rows a job works on.
-- SECURITY DEFINER: only procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  all_args jsonb := jsonb_build_object('tenant_id', app.tenant_id(), 'user_id', app.user_id()) || args;
  new_job_id bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, args)
    VALUES ('default', task, all_args) RETURNING id INTO new_job_id;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, args)
    VALUES ('default', task, enqueue.queueing_lock, all_args) ON CONFLICT DO NOTHING RETURNING id INTO new_job_id;
  END IF;
  RETURN new_job_id;
END $$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text) TO porchlight_overseer;
