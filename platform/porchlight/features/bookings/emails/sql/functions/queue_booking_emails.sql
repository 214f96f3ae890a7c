-- Queue the emails about a change of a booking to the given sides (person, guru), and the job that sends them. An email
-- that was queued before is not queued again. Bookings of a series that change together have one email to each side,
-- unless it changes calendars: a calendar file changes one event only. The function restores the tenant that was set
-- before.
--
-- Called by: the trigger add_booking_emails, and functions that offer a free seat.
-- SECURITY DEFINER: the app role cannot add rows to the table.
CREATE OR REPLACE FUNCTION app.queue_booking_emails(b bookings, email_kind text, sides text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', b.tenant_id::text, true);
  IF b.series_id IS NOT NULL AND email_kind IN ('requested', 'declined', 'expired', 'withdrawn', 'proposed',
                                                        'proposal_withdrawn', 'proposal_expired') AND EXISTS (
       SELECT FROM booking_emails e JOIN bookings o ON o.tenant_id = e.tenant_id AND o.id = e.booking_id
        WHERE o.tenant_id = b.tenant_id AND o.person_id = b.person_id AND o.series_id = b.series_id AND o.id <> b.id
          AND e.kind = email_kind AND e.created_at = app.now()) THEN  -- of this transaction
    PERFORM set_config('app.tenant_id', previous_tenant, true);
    RETURN;
  END IF;
  -- The job below sends them at once. If it is lost, another one is queued a minute later.
  INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
  SELECT b.tenant_id, b.id, email_kind, s.side, b.sequence, b.person_id, app.now() + interval '1 minute'
    FROM unnest(sides) AS s (side) ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('bookings:send_emails', jsonb_build_object('booking_id', b.id), NULL);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.queue_booking_emails(bookings, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_booking_emails(bookings, text, text[]) TO porchlight_overseer;
