-- waitlist emails

-- file: functions/offer_seats.sql
-- Offer the free seats of a session to those who wait for it: each time to the first whose party fits. An offer is a
-- hold for two hours, but not later than an hour before the start, and at least 15 minutes. An email tells the person.
-- The caller holds the lock of the calendar.
--
-- Called by: the trigger on appointments, app.join_waitlist and app.expire_bookings.
-- SECURITY DEFINER: those who wait are other users. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.offer_seats(offered_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  session appointments;
  entry waitlist;
  offer_id uuid;
  offered_until timestamptz;
BEGIN
  LOOP
    SELECT a.* INTO session
      FROM appointments a
      JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
      JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
     WHERE a.tenant_id = tenant AND a.id = offered_appointment;
    offered_until := greatest(least(now() + interval '2 hours', session.starts_at - interval '1 hour'),
                              now() + interval '15 minutes');
    SELECT * INTO entry FROM waitlist w
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.status = 'waiting'
       AND w.party <= session.capacity - session.taken AND offered_until <= session.starts_at
     ORDER BY w.number LIMIT 1;
    EXIT WHEN entry.number IS NULL;
    offer_id := gen_random_uuid();
    UPDATE waitlist w
       SET status = CASE WHEN app.create_hold(offer_id, session.id, entry.person_id, entry.party, NULL, NULL,
                                              offered_until) THEN 'offered' ELSE 'taken' END
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.number = entry.number;
    PERFORM app.queue_booking_emails(b, 'spot_free', ARRAY['person']) FROM bookings b
      WHERE b.tenant_id = tenant AND b.id = offer_id;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.offer_seats(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_seats(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/waitlist_recipient.sql
-- Return the address of the person on a waitlist whom the running job tells. NULL if the account was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_waitlist_canceled.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.waitlist_recipient() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_waitlist_canceled');
BEGIN
  RETURN (SELECT u.email FROM waitlist w JOIN users u ON u.user_id = w.person_id
           WHERE w.tenant_id = (args ->> 'tenant_id')::uuid AND w.appointment_id = (args ->> 'appointment_id')::uuid
             AND w.number = (args ->> 'number')::integer AND u.status = 'active');
END $$;
REVOKE ALL ON FUNCTION app.waitlist_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waitlist_recipient() TO porchlight_app, porchlight_overseer;

-- file: triggers/waitlist_offers.sql
-- Keep the number of those who wait for each session; offer the seats that become free; and settle an offer when its
-- hold is booked or ends. A session that ends takes no one from its waitlist. If the guru canceled it, an email tells
-- everyone who waited or had an offer.
--
-- Fires on: waitlist, appointments, bookings. The transaction holds the lock of the calendar.
-- SECURITY DEFINER: the app role may only read the waitlist. The functions restore the tenant that was set before.
CREATE OR REPLACE FUNCTION app.count_waiting() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting - 1 WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting + 1 WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_waiting AFTER INSERT OR DELETE OR UPDATE OF status ON waitlist
    FOR EACH ROW EXECUTE FUNCTION app.count_waiting();

CREATE OR REPLACE FUNCTION app.offer_freed_seats() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  notified integer;
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  IF NEW.capacity - NEW.taken > OLD.capacity - OLD.taken THEN
    PERFORM app.offer_seats(NEW.id);
  END IF;
  IF NOT (SELECT a.live FROM appointments a WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.id) THEN
    -- A session that ends with its last booking has neither taken seats nor a fixed start: it was not canceled.
    WITH ended AS (
      UPDATE waitlist w SET status = 'lapsed'
       WHERE w.tenant_id = NEW.tenant_id AND w.appointment_id = NEW.id AND w.status IN ('waiting', 'offered')
      RETURNING w.number)
    SELECT count(app.enqueue('bookings:send_waitlist_canceled',
                             jsonb_build_object('appointment_id', NEW.id, 'number', e.number), NULL))
      FROM ended e WHERE NEW.starts_at > now() AND (NEW.taken > 0 OR NEW.fixed) INTO notified;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER offer_freed_seats AFTER UPDATE OF taken, capacity, live ON appointments
    FOR EACH ROW WHEN (OLD.live AND (NOT NEW.live OR NEW.waiting > 0
                                     AND NEW.capacity - NEW.taken > OLD.capacity - OLD.taken))
    EXECUTE FUNCTION app.offer_freed_seats();

CREATE OR REPLACE FUNCTION app.settle_offer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  UPDATE waitlist w SET status = CASE WHEN NEW.status IN ('requested', 'confirmed') THEN 'taken' ELSE 'lapsed' END
   WHERE w.tenant_id = NEW.tenant_id AND w.appointment_id = NEW.appointment_id AND w.person_id = NEW.person_id
     AND (w.status = 'offered' OR w.status = 'waiting' AND NEW.status IN ('requested', 'confirmed'));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER settle_offer AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN (OLD.status = 'held' AND NEW.status <> 'held' AND NEW.person_id IS NOT NULL)
    EXECUTE FUNCTION app.settle_offer();
