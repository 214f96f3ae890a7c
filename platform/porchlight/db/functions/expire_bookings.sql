-- End the holds and requests of the transaction's tenant whose time has passed, and return how many. Their spots become
-- free. The caller holds the lock of the calendar. A constraint cannot do this, because time passes without a statement.
--
-- Called by: app.hold_seat, and bookings, in the job bookings:expire.
CREATE OR REPLACE FUNCTION app.expire_bookings() RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  expired integer;
BEGIN
  WITH ended AS (
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = now(), ended_by = 'system'
     WHERE b.tenant_id = app.tenant_id() AND b.expires_at <= now()
    RETURNING b.id, b.person_id
  ), logged AS (
    INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event)
    SELECT app.tenant_id(), e.id, coalesce((SELECT max(v.number) FROM booking_events v
                                             WHERE v.tenant_id = app.tenant_id() AND v.booking_id = e.id), 0) + 1,
           e.person_id, 'system', 'expired'
      FROM ended e
  )
  SELECT count(*) INTO expired FROM ended;
  RETURN expired;
END $$;
