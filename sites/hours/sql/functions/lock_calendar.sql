-- Lock the calendar of the transaction's tenant and return it. Every change of appointments and bookings takes this lock
-- first: without it, the exclusion constraint of appointments causes deadlocks.
--
-- Called by: hours and bookings.
CREATE OR REPLACE FUNCTION app.lock_calendar() RETURNS calendars
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT c FROM calendars c WHERE c.tenant_id = app.tenant_id() FOR NO KEY UPDATE
$$;
