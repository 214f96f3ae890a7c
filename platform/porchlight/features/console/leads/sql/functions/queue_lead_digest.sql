-- Start the job that emails the leads that wait for a digest, `delay` after this hour. A guru has one such job an hour.
-- The hour is part of its queueing lock and the delay passes before it starts, so a lead that is grouped at the end of
-- the hour is in the digest.
--
-- Called by: leads, in the job leads:notify_guru.
-- SECURITY DEFINER: the app role may not call app.enqueue. The guru comes from the job.
CREATE OR REPLACE FUNCTION app.queue_lead_digest(delay interval) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:notify_guru');
  next_hour timestamptz := date_trunc('hour', app.now()) + interval '1 hour';
BEGIN
  PERFORM app.enqueue('leads:send_digest', jsonb_build_object('tenant_id', args ->> 'tenant_id'),
                      format('leads:send_digest:%s:%s', args ->> 'tenant_id', extract(epoch FROM next_hour)::bigint),
                      NULL, next_hour + delay);
END $$;
REVOKE ALL ON FUNCTION app.queue_lead_digest(interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_lead_digest(interval) TO porchlight_app, porchlight_overseer;
