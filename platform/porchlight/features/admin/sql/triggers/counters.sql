-- Keep the counters of the admin overview: users, gurus, reports, listings, sessions. Deleted accounts do not count as
-- users, and bookings and exchanges that were not confirmed or were canceled do not count as sessions.
-- Counting 50,000 rows for each page view costs more. A bulk load counts once, by triggers of the statement. Each counter
-- has 16 rows, so that concurrent transactions seldom wait for each other.
-- SECURITY DEFINER: no role may write the table.
--
-- Fires on: users, gurus, reports, skill_offers, bookings, exchanges. The first argument is the counter's name, the second one the
-- statuses that count.
CREATE OR REPLACE FUNCTION app.count_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  added bigint;
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    added := (TG_OP <> 'DELETE' AND NEW.status = ANY (TG_ARGV[1]::text[]))::integer
             - (TG_OP <> 'INSERT' AND OLD.status = ANY (TG_ARGV[1]::text[]))::integer;
  ELSIF TG_OP = 'DELETE' AND TG_NARGS > 1 THEN
    added := -(SELECT count(*) FROM old_rows r WHERE r.status = ANY (TG_ARGV[1]::text[]));
  ELSIF TG_OP = 'DELETE' THEN
    added := -(SELECT count(*) FROM old_rows);
  ELSIF TG_NARGS > 1 THEN
    added := (SELECT count(*) FROM new_rows r WHERE r.status = ANY (TG_ARGV[1]::text[]));
  ELSE
    added := (SELECT count(*) FROM new_rows);
  END IF;
  IF added <> 0 THEN
    INSERT INTO counters AS t (name, slot, value) VALUES (TG_ARGV[0], mod(pg_backend_pid(), 16), added)
    ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_rows() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON gurus
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('gurus');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON gurus
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('gurus');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON reports
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('reports');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON reports
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('reports');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON skill_offers
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('listings');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON skill_offers
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('listings');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased'))
    EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
-- A new booking is only held.
CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,missed,completed}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'missed', 'completed'))
                       <> (NEW.status IN ('confirmed', 'missed', 'completed')))
    EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,missed,completed}');
-- Sessions of two neighbors.
CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON exchanges
    FOR EACH ROW EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,completed}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON exchanges
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'completed')) <> (NEW.status IN ('confirmed', 'completed')))
    EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,completed}');
