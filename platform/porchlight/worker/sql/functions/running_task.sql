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
