-- End the holds and requests of the transaction's tenant whose time has passed, and return how many. Their seats become
-- free. The caller holds the lock of the calendar. A constraint cannot do this, because time passes without a statement.
--
-- Called by: app.hold_seat, and bookings, in the job bookings:expire.
CREATE OR REPLACE FUNCTION app.expire_bookings() RETURNS integer
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  WITH ended AS (
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = now(), ended_by = 'system'
     WHERE b.tenant_id = app.tenant_id() AND b.expires_at <= now()
    RETURNING b.id
  )
  SELECT count(*)::integer FROM ended
$$;
