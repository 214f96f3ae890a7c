-- Add to a counter. Each counter has 16 rows, so that concurrent transactions seldom wait for each other.
--
-- Called by: the counter triggers.
-- SECURITY INVOKER: the triggers run as the owner; no role may write the table.
CREATE OR REPLACE FUNCTION app.counter_add(counter text, amount bigint) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
  INSERT INTO counters AS t (name, slot, value) SELECT counter, mod(pg_backend_pid(), 16), amount
  WHERE amount <> 0
  ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value
$$;
REVOKE ALL ON FUNCTION app.counter_add(text, bigint) FROM PUBLIC;
