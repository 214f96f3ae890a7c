-- Give the hold that was offered to the current user a token, by which they book it, and return until when it is
-- theirs. Returns null if there is none any more. Locks the calendar.
--
-- Called by: bookings, when someone from the waitlist wants to book.
-- SECURITY DEFINER: the app role cannot change the token of a booking. The tenant and the user are those of the
-- transaction.
CREATE OR REPLACE FUNCTION app.open_offer(offered_appointment uuid, token_hash bytea) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held_until timestamptz;
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b SET hold_hash = token_hash
    FROM waitlist w
   WHERE b.tenant_id = app.tenant_id() AND b.appointment_id = offered_appointment AND b.person_id = app.user_id()
     AND b.status = 'held' AND b.expires_at > app.now()
     AND w.tenant_id = b.tenant_id AND w.appointment_id = b.appointment_id AND w.person_id = b.person_id
     AND w.status = 'offered'
  RETURNING b.expires_at INTO held_until;
  RETURN held_until;
END $$;
REVOKE ALL ON FUNCTION app.open_offer(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_offer(uuid, bytea) TO porchlight_app;
