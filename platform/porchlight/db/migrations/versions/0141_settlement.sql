-- file: functions/create_stripe_write.sql
-- Store the intent of a change at Stripe and wake the sender; return its id. The worker sends it after the commit, with
-- a key made of the id, so that every attempt to send it is the same request. With `tagged`, the object carries the id
-- in its metadata, by which it is found when the outcome is unknown.
--
-- A subject gets a new attempt only after the former one was refused or is absent at Stripe; otherwise this is an error.
--
-- Called by: the service role and the functions that decide on a change, such as app.request_payout.
-- SECURITY DEFINER: the app role may not call app.enqueue, and has no privileges on stripe_outbox.
CREATE OR REPLACE FUNCTION app.create_stripe_write(kind text, subject_id uuid, account text, method text, path text,
                                                   params jsonb, tagged boolean DEFAULT true) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  former record;
  new_id uuid := gen_random_uuid();
BEGIN
  SELECT o.attempt, o.state INTO former FROM stripe_outbox o
   WHERE o.kind = create_stripe_write.kind AND o.subject_id = create_stripe_write.subject_id
   ORDER BY o.attempt DESC LIMIT 1;
  IF FOUND AND former.state NOT IN ('refused', 'absent') THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('the write %s of %s is %s', kind, subject_id, former.state);
  END IF;
  INSERT INTO stripe_outbox (id, kind, subject_id, attempt, account, lane, method, path, params)
  VALUES (new_id, kind, subject_id, coalesce(former.attempt, 0) + 1, account,
          CASE WHEN account = '' THEN subject_id::text ELSE account END, method, path,
          CASE WHEN tagged THEN params || jsonb_build_object(
            'metadata', coalesce(params -> 'metadata', '{}') || jsonb_build_object('outbox', new_id)) ELSE params END);
  PERFORM app.enqueue('settlement:send', '{}', 'settlement:send');
  RETURN new_id;
END $$;
REVOKE ALL ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) TO porchlight_overseer;
-- file: functions/enqueue.sql
-- Add a job to the queue and return its id. The tenant and the user of the transaction are added to the arguments that
-- do not name them. Returns NULL when a job with the same queueing lock already waits. Of the jobs with the same `lock`
-- one runs at a time, in their order. It starts at `start_at` at the earliest. Without a queueing lock the plain insert
-- is cheaper.
--
-- Called by: the service role, app.enqueue_task, and the functions and triggers that start a job. The app role may not
-- call it: its arguments decide whose rows a job works on.
-- SECURITY DEFINER: only procrastinate's worker may touch the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text, lock text DEFAULT NULL,
                                       start_at timestamptz DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = jobs, pg_temp AS $$
DECLARE
  all_args jsonb := jsonb_build_object('tenant_id', app.tenant_id(), 'user_id', app.user_id()) || args;
  new_job_id bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, scheduled_at)
    VALUES ('default', task, enqueue.lock, all_args, start_at) RETURNING id INTO new_job_id;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, lock, args, scheduled_at)
    VALUES ('default', task, enqueue.queueing_lock, enqueue.lock, all_args, start_at)
    ON CONFLICT DO NOTHING RETURNING id INTO new_job_id;
  END IF;
  RETURN new_job_id;
END $$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text, text, timestamptz) TO porchlight_overseer;
-- file: functions/receive_stripe_event.sql
-- Store an event of Stripe once, and start its job in the same statement; return whether it is new. Jobs of the same
-- object run one at a time. An event to be ignored has no job.
--
-- Called by: settlement, for each webhook and each event that Stripe could not deliver.
-- SECURITY DEFINER: the app role may add to stripe_inbox through this function and read nothing.
CREATE OR REPLACE FUNCTION app.receive_stripe_event(id text, endpoint text, account text, kind text, object_id text,
                                                    livemode boolean, created timestamptz, body bytea, ignored boolean)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO stripe_inbox (id, endpoint, account, kind, object_id, livemode, created, body, state)
  VALUES (id, endpoint, account, kind, object_id, livemode, created, body,
          CASE WHEN ignored THEN 'ignored' ELSE 'new' END)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF NOT ignored THEN
    PERFORM app.enqueue('settlement:process', jsonb_build_object('event_id', id), 'stripe-event:' || id,
                        'stripe:' || object_id);
  END IF;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.receive_stripe_event(text, text, text, text, text, boolean, timestamptz, bytea, boolean)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.receive_stripe_event(text, text, text, text, text, boolean, timestamptz, bytea, boolean)
  TO porchlight_app, porchlight_overseer;
