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
