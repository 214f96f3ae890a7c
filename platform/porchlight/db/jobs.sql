-- Changes to procrastinate's own tables in the schema jobs, and the grants for the worker.
--
-- porchlight.db.queue_schema() installs procrastinate's schema first. Names that procrastinate knows stay as they are.

-- Workers poll once per second instead: NOTIFY makes commits wait for each other.
DROP TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 ON jobs.procrastinate_jobs;

-- The time is a column of the job. procrastinate writes a second row for it, an event with a foreign key. Changes of a
-- job's status remain events: the job that deletes old jobs reads them.
ALTER TABLE jobs.procrastinate_jobs ADD COLUMN deferred_at timestamptz NOT NULL DEFAULT now();
DROP TRIGGER procrastinate_trigger_status_events_insert_v1 ON jobs.procrastinate_jobs;

-- No query uses the first two indexes. The other two would hold every waiting job, and hardly any job has a lock.
DROP INDEX jobs.procrastinate_jobs_queue_name_idx_v1;
DROP INDEX jobs.procrastinate_jobs_id_lock_idx_v1;
CREATE INDEX procrastinate_jobs_lock_idx ON jobs.procrastinate_jobs (lock) WHERE lock IS NOT NULL;
DROP INDEX jobs.procrastinate_jobs_queueing_lock_idx_v1;
CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON jobs.procrastinate_jobs (queueing_lock)
    WHERE status = 'todo' AND queueing_lock IS NOT NULL;

-- The admin overview counts failed jobs.
CREATE INDEX procrastinate_jobs_failed_idx ON jobs.procrastinate_jobs (deferred_at) WHERE status = 'failed';

GRANT USAGE ON SCHEMA jobs TO porchlight_overseer;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jobs TO porchlight_overseer;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA jobs TO porchlight_overseer;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jobs TO porchlight_overseer;
