-- booking emails

-- file: functions/agenda_recipient.sql
-- Return the address of the account that owns the running job's guru. NULL if it was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_agenda.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.agenda_recipient() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_agenda');
BEGIN
  RETURN (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
           WHERE m.tenant_id = (args ->> 'tenant_id')::uuid AND u.status = 'active' LIMIT 1);
END $$;
REVOKE ALL ON FUNCTION app.agenda_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.agenda_recipient() TO porchlight_app, porchlight_overseer;

-- file: functions/booking_recipients.sql
-- Return the addresses of both parties of the running job's booking: of the person, and of the account that owns the
-- guru. NULL for an account that was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_emails.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.booking_recipients(OUT person_email text, OUT guru_email text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_emails');
BEGIN
  SELECT u.email INTO person_email FROM bookings b JOIN users u ON u.user_id = b.person_id
   WHERE b.tenant_id = (args ->> 'tenant_id')::uuid AND b.id = (args ->> 'booking_id')::uuid AND u.status = 'active';
  SELECT u.email INTO guru_email FROM memberships m JOIN users u ON u.user_id = m.user_id
   WHERE m.tenant_id = (args ->> 'tenant_id')::uuid AND u.status = 'active' LIMIT 1;
END $$;
REVOKE ALL ON FUNCTION app.booking_recipients() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_recipients() TO porchlight_app, porchlight_overseer;

-- file: functions/queue_booking_emails.sql
-- Queue the emails about a change of a booking to the given sides (person, guru), and the job that sends them. An email
-- that was queued before is not queued again. The function restores the tenant that was set before.
--
-- Called by: the trigger add_booking_emails, and functions that offer a free seat.
-- SECURITY DEFINER: the app role cannot add rows to the table.
CREATE OR REPLACE FUNCTION app.queue_booking_emails(b bookings, email_kind text, sides text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', b.tenant_id::text, true);
  -- The job below sends them at once. If it is lost, another one is queued a minute later.
  INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
  SELECT b.tenant_id, b.id, email_kind, s.side, b.sequence, b.person_id, now() + interval '1 minute'
    FROM unnest(sides) AS s (side) ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('bookings:send_emails', jsonb_build_object('booking_id', b.id), NULL);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.queue_booking_emails(bookings, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_booking_emails(bookings, text, text[]) TO porchlight_overseer;

-- file: triggers/booking_emails.sql
-- Queue the emails about each change of a booking, in the transaction of the change, so that no change is without them.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may not queue these emails itself.
CREATE OR REPLACE FUNCTION app.add_booking_emails() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kind text := CASE
    WHEN OLD.status = 'confirmed' AND NEW.status = 'confirmed' THEN 'moved'
    WHEN OLD.status = 'held' AND NEW.status = 'requested' THEN 'requested'
    WHEN OLD.status = 'held' AND NEW.status = 'confirmed' THEN 'booked'
    WHEN OLD.status = 'requested' AND NEW.status = 'confirmed' THEN 'accepted'
    WHEN OLD.status = 'requested' AND NEW.status = 'declined' THEN 'declined'
    WHEN OLD.status = 'requested' AND NEW.status = 'expired' THEN 'expired'
    WHEN OLD.status = 'requested' AND NEW.status = 'canceled' THEN 'withdrawn'
    WHEN OLD.status = 'confirmed' AND NEW.status = 'canceled' THEN 'canceled'
  END;
BEGIN
  IF kind IS NOT NULL THEN
    PERFORM app.queue_booking_emails(NEW, kind, CASE
      WHEN kind IN ('declined', 'expired') THEN ARRAY['person']
      WHEN kind = 'withdrawn' THEN ARRAY['guru']
      ELSE ARRAY['person', 'guru'] END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_emails AFTER UPDATE OF status, starts_at ON bookings
    FOR EACH ROW WHEN (NEW.person_id IS NOT NULL
                       AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at))
    EXECUTE FUNCTION app.add_booking_emails();
