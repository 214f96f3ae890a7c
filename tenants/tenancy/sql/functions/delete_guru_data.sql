-- Delete a guru and all its data, jobs and emails included. The job that runs the function stays in the queue, so that
-- the worker can mark it as done. Returns false when the guru does not exist or row level security hides it.
--
-- Called by: the guru's lifecycle (service role) and app.delete_guru.
CREATE OR REPLACE FUNCTION app.delete_guru_data(guru_id uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, jobs, pg_temp AS $$
DECLARE
  running_job_id bigint := nullif(current_setting('app.job_id', true), '')::bigint;
BEGIN
  -- The lock blocks writes of the guru's rows until the transaction ends: their foreign key waits for it.
  PERFORM FROM gurus g WHERE g.id = guru_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM procrastinate_events e USING procrastinate_jobs j
   WHERE j.id = e.job_id AND j.args ->> 'tenant_id' = guru_id::text AND j.id IS DISTINCT FROM running_job_id;
  DELETE FROM procrastinate_jobs j
   WHERE j.args ->> 'tenant_id' = guru_id::text AND j.id IS DISTINCT FROM running_job_id;
  DELETE FROM dev_mailbox m WHERE m.tenant_id = guru_id;
  DELETE FROM gurus g WHERE g.id = guru_id;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.delete_guru_data(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_guru_data(uuid) TO porchlight_overseer;
