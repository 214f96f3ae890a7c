-- Lock the calendar of the transaction's tenant and give it a new version, because its bookings change. With `expected`,
-- only if that is its version; return whether it is.
--
-- Called by: app.apply_bookings.
CREATE OR REPLACE FUNCTION app.next_calendar_version(expected bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE calendars SET version = version + 1
   WHERE tenant_id = app.tenant_id() AND (expected IS NULL OR version = expected);
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.next_calendar_version(bigint) FROM PUBLIC;
