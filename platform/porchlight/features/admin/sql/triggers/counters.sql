-- Keep the counters of the admin overview: users, gurus, reports, listings, sessions. Deleted accounts do not count as
-- users, and bookings that were not confirmed or were canceled do not count as sessions.
-- Counting 50,000 rows for each page view costs more. Statement triggers, so that a bulk load counts once.
-- SECURITY DEFINER: app.counter_add is revoked from every role.
--
-- Fires on: users, gurus, reports, skill_offers, bookings. The argument is the counter's name.
CREATE OR REPLACE FUNCTION app.counter_on_insert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.counter_add(TG_ARGV[0], (SELECT count(*) FROM new_rows));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_insert() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON gurus
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('gurus');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON reports
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('reports');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON skill_offers
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('listings');

CREATE OR REPLACE FUNCTION app.counter_on_delete() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.counter_add(TG_ARGV[0], -(SELECT count(*) FROM old_rows));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_delete() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON gurus
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('gurus');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON reports
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('reports');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON skill_offers
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('listings');

CREATE OR REPLACE FUNCTION app.counter_on_user_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM app.counter_add('users', (SELECT count(*) FROM new_rows WHERE status <> 'erased'));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM app.counter_add('users', -(SELECT count(*) FROM old_rows WHERE status <> 'erased'));
  ELSE
    PERFORM app.counter_add('users', CASE WHEN NEW.status = 'erased' THEN -1 ELSE 1 END);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_user_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_user_change();
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_user_change();
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased'))
    EXECUTE FUNCTION app.counter_on_user_change();

CREATE OR REPLACE FUNCTION app.counter_on_booking_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  counted text[] := ARRAY['confirmed', 'missed', 'completed'];
  added integer := (TG_OP <> 'DELETE' AND NEW.status = ANY (counted))::integer
                   - (TG_OP <> 'INSERT' AND OLD.status = ANY (counted))::integer;
BEGIN
  IF added <> 0 THEN  -- a new booking is only held
    PERFORM app.counter_add('sessions', added);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_booking_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.counter_on_booking_change();
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'missed', 'completed'))
                       <> (NEW.status IN ('confirmed', 'missed', 'completed')))
    EXECUTE FUNCTION app.counter_on_booking_change();
