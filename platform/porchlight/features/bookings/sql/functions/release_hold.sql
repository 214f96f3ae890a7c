-- Give up a hold, so that its time is free at once. Returns false if it is no hold any more. Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: a visitor is no party of a booking. The token is the permission.
CREATE OR REPLACE FUNCTION app.release_hold(token_hash bytea) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'person'
   WHERE b.tenant_id = app.tenant_id() AND b.hold_hash = token_hash AND b.status = 'held'
     AND (b.person_id IS NULL OR b.person_id = app.user_id());
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.release_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.release_hold(bytea) TO porchlight_app;
