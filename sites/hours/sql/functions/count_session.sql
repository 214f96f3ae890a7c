-- Add to the counters of a session: occupied seats, people who wait, and changes that its calendar event shows. Return
-- whether it exists. The constraint on the seats rejects one too many. A session without bookings ends, and its time is
-- free again, unless its start is fixed.
--
-- Called by: the triggers of bookings and waitlists. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_session(
  tenant uuid, session uuid, seats integer, people_waiting integer, changes integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE appointments a
     SET taken = a.taken + seats, waiting = a.waiting + people_waiting, sequence = a.sequence + changes,
         live = CASE WHEN seats > 0 THEN true
                     WHEN seats < 0 THEN a.live AND (a.fixed OR a.taken + seats > 0 OR a.kind = 'block')
                     ELSE a.live END
   WHERE a.tenant_id = tenant AND a.id = session;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.count_session(uuid, uuid, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.count_session(uuid, uuid, integer, integer, integer) TO porchlight_overseer;
