-- Count each day's leads and sign-ups (UTC) for the admin overview. A count of the rows would scan every tenant's.
-- SECURITY DEFINER: no role may write the table.
--
-- Fires on: leads, users. The argument is the counter's name.
CREATE OR REPLACE FUNCTION app.count_day() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO daily_counters AS t (name, day, slot, value)
  SELECT TG_ARGV[0], (app.now() AT TIME ZONE 'UTC')::date, mod(pg_backend_pid(), 16), count(*) FROM new_rows
  HAVING count(*) > 0
  ON CONFLICT (name, day, slot) DO UPDATE SET value = t.value + excluded.value;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_day() FROM PUBLIC;

CREATE OR REPLACE TRIGGER count_day AFTER INSERT ON leads
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_day('leads');
CREATE OR REPLACE TRIGGER count_day AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_day('sign_ups');
