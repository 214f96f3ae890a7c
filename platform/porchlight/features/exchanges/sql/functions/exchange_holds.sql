-- Return the subjects of the holds of an exchange: one for what was agreed on, and one for each round in which more was
-- recorded.
--
-- Called by: app.exchange_hours and app.enter_exchange.
CREATE OR REPLACE FUNCTION app.exchange_holds(wanted uuid) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[wanted::text, wanted || '/1', wanted || '/2', wanted || '/3']
$$;
REVOKE ALL ON FUNCTION app.exchange_holds(uuid) FROM PUBLIC;
