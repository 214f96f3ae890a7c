-- Take a time in the calendar of the transaction's tenant for something outside of it, under the id of that, or with null
-- times give the time back. Return whether the tenant has a calendar. A constraint refuses a time that is taken.
--
-- Called by: app.apply_exchange and the deletion of an account, both as the owner.
-- SECURITY INVOKER: the person who agrees on a time with a guru has no rights in the calendar, so these functions run it.
CREATE OR REPLACE FUNCTION app.reserve_time(
  reserved uuid, starts timestamptz, ends timestamptz, time_zone text, starts_local timestamp, ends_local timestamp)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  IF starts IS NULL THEN
    DELETE FROM appointments a WHERE a.tenant_id = app.tenant_id() AND a.id = reserved AND a.kind = 'exchange';
    RETURN FOUND;
  END IF;
  INSERT INTO appointments (tenant_id, id, kind, starts_at, ends_at, zone, local_start, local_end, blocked)
  SELECT c.tenant_id, reserved, 'exchange', starts, ends, time_zone, starts_local, ends_local, tstzrange(starts, ends)
    FROM calendars c WHERE c.tenant_id = app.tenant_id();
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.reserve_time(uuid, timestamptz, timestamptz, text, timestamp, timestamp) FROM PUBLIC;
