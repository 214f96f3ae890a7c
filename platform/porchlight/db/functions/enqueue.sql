-- Add a job to the queue and return its id. The tenant comes from the transaction, never from the caller.
-- Returns NULL when a job with the same queueing lock already waits. Without a lock the plain insert is cheaper.
--
-- Called by: `enqueue()` in Python and every function or trigger that starts a job.
-- SECURITY DEFINER: the app role cannot touch the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  new_job_id bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, args)
    VALUES ('default', task, args || jsonb_build_object('tenant_id', app.tenant_id())) RETURNING id INTO new_job_id;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, args)
    VALUES ('default', task, enqueue.queueing_lock, args || jsonb_build_object('tenant_id', app.tenant_id()))
    ON CONFLICT DO NOTHING RETURNING id INTO new_job_id;
  END IF;
  RETURN new_job_id;
END $$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text) TO porchlight_app, porchlight_overseer;
