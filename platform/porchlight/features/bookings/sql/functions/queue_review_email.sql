-- Queue an email about the reviews of a session to one side: that it can write one, that one waits, or that one is out.
-- Emails that ask a side which has written by then are void. Nothing is queued if that side got an email of this kind
-- from the guru within `quiet`. The guru's emails count together, because they are about many neighbors.
--
-- Called by: reviews, as the owner or the service role.
CREATE OR REPLACE FUNCTION app.queue_review_email(tenant uuid, booking uuid, kind text, reader text, quiet interval)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
#variable_conflict use_variable
BEGIN
  UPDATE booking_emails e SET status = 'void'
   WHERE e.tenant_id = tenant AND e.booking_id = booking AND e.status = 'due'
     AND e.kind IN ('review_open', 'review_last', 'review_waiting') AND (e.side <> reader OR kind = 'review_out');
  INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
  SELECT b.tenant_id, b.id, kind, reader, b.sequence, b.person_id, app.now() FROM bookings b
   WHERE b.tenant_id = tenant AND b.id = booking AND NOT EXISTS (
           SELECT FROM booking_emails e
            WHERE e.tenant_id = tenant AND e.side = reader AND e.kind = queue_review_email.kind
              AND (reader = 'guru' OR e.person_id = b.person_id) AND e.created_at > app.now() - quiet)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM app.enqueue('bookings:send_emails', jsonb_build_object('tenant_id', tenant, 'booking_id', booking), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.queue_review_email(uuid, uuid, text, text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_review_email(uuid, uuid, text, text, interval) TO porchlight_overseer;
