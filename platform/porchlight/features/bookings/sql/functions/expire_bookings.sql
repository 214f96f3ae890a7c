-- End the holds and requests of the transaction's tenant whose time has passed, and return how many. Their seats become
-- free, or are offered to those who wait. Proposals without an answer end too, and their sessions stay as they are. The
-- caller holds the lock of the calendar. A constraint cannot do this, because time passes without a statement.
--
-- Called by: app.hold_seat, app.move_booking, app.join_waitlist, and bookings, in the job bookings:expire.
CREATE OR REPLACE FUNCTION app.expire_bookings() RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'system'
   WHERE b.tenant_id = app.tenant_id() AND b.expires_at <= app.now();
  GET DIAGNOSTICS ended = ROW_COUNT;
  UPDATE bookings b SET proposed_start = NULL, proposed_until = NULL, proposed_reason = ''
   WHERE b.tenant_id = app.tenant_id() AND b.proposed_until <= app.now();
  -- Seats that became free while the site was suspended have not been offered.
  PERFORM app.offer_seats(a.id) FROM appointments a
   WHERE a.tenant_id = app.tenant_id() AND a.live AND a.waiting > 0 AND a.taken < a.capacity;
  RETURN ended;
END $$;
