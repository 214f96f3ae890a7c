-- Take the current user off the waitlist of a session, and release what was offered to them. Locks the calendar.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may only read the waitlist. The tenant and the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.leave_waitlist(left_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was_offered boolean;
BEGIN
  PERFORM app.lock_calendar();
  SELECT w.status = 'offered' INTO was_offered FROM waitlist w
   WHERE w.tenant_id = app.tenant_id() AND w.appointment_id = left_appointment AND w.person_id = app.user_id()
     AND w.status IN ('waiting', 'offered');
  UPDATE waitlist w SET status = 'left'
   WHERE w.tenant_id = app.tenant_id() AND w.appointment_id = left_appointment AND w.person_id = app.user_id()
     AND w.status IN ('waiting', 'offered');
  IF was_offered THEN
    UPDATE bookings b SET status = 'expired', expires_at = NULL, ended_at = app.now(), ended_by = 'person'
     WHERE b.tenant_id = app.tenant_id() AND b.appointment_id = left_appointment AND b.person_id = app.user_id()
       AND b.status = 'held';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.leave_waitlist(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.leave_waitlist(uuid) TO porchlight_app;
