"""A lighter queue and lighter leads: what each insert paid for and nothing read is gone."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

# A job put in was written twice: into procrastinate's table and, by a trigger, as a 'deferred' event, with a foreign
# key's check between them. The time stands in the job's own row now. Changes of a job's state are still events: the
# sweep goes by them.
#
# Of the indexes, two were read by nobody here (one queue; no job is looked for by id and lock), and two held every
# waiting job although hardly any job has a lock. Names that procrastinate knows stay theirs.
JOBS = """
ALTER TABLE jobs.procrastinate_jobs ADD COLUMN deferred_at timestamptz NOT NULL DEFAULT now();
DROP TRIGGER procrastinate_trigger_status_events_insert_v1 ON jobs.procrastinate_jobs;
DROP INDEX jobs.procrastinate_jobs_queue_name_idx_v1;
DROP INDEX jobs.procrastinate_jobs_id_lock_idx_v1;
CREATE INDEX procrastinate_jobs_lock_idx ON jobs.procrastinate_jobs (lock) WHERE lock IS NOT NULL;
DROP INDEX jobs.procrastinate_jobs_queueing_lock_idx_v1;
CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON jobs.procrastinate_jobs (queueing_lock)
  WHERE status = 'todo' AND queueing_lock IS NOT NULL;
"""

# Without a queueing lock there is nothing to meet, and an insert that may meet nothing is cheaper.
ENQUEUE = """
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  made bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, args)
    VALUES ('default', task, args || jsonb_build_object('tenant_id', app.tid())) RETURNING id INTO made;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, args)
    VALUES ('default', task, enqueue.queueing_lock, args || jsonb_build_object('tenant_id', app.tid()))
    ON CONFLICT DO NOTHING RETURNING id INTO made;
  END IF;
  RETURN made;
END $$;
"""

# An address's leads of the last hour are counted among the guru's, which are bounded by the guru's own limit.
LEADS = "DROP INDEX ix_leads_tenant_id_address_hash_created_at;"


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(JOBS)
    run(ENQUEUE)
    run(LEADS)


def downgrade() -> None:
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
