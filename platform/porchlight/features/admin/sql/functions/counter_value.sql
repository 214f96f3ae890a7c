-- Return the value of a counter.
--
-- Called by: operators, at the SQL prompt.
CREATE OR REPLACE FUNCTION app.counter_value(counter text) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(sum(value), 0)::bigint FROM counters WHERE name = counter
$$;
