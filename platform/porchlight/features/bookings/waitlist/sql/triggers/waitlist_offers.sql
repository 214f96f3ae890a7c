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
      FROM ended e WHERE NEW.starts_at > app.now() AND (NEW.taken > 0 OR NEW.fixed) INTO notified;
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
