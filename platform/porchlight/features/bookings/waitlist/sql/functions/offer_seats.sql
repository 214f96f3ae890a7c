-- Offer the free seats of a session to those who wait for it: each time to the first whose party fits. An offer is a
-- hold for two hours, of which the night (10 PM to 8 AM where the session is) is no part, but not later than an hour
-- before the start, and at least 15 minutes. An email tells the person. None is made within the guru's notice,
-- nor while the flag "booking" is off.
-- The caller holds the lock of the calendar.
--
-- Called by: the trigger on appointments, app.join_waitlist and app.expire_bookings.
-- SECURITY DEFINER: those who wait are other users. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.offer_seats(offered_appointment uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  session appointments;
  entry waitlist;
  offer_id uuid;
  offered_until timestamptz;
  to_local interval;
BEGIN
  LOOP
    SELECT a.* INTO session
      FROM appointments a
      JOIN gurus g ON g.id = a.tenant_id AND g.status = 'active'
      JOIN booking_settings t ON t.tenant_id = a.tenant_id AND t.service_id = a.service_id AND t.open
      JOIN calendars c ON c.tenant_id = a.tenant_id
     WHERE a.tenant_id = tenant AND a.id = offered_appointment
       -- A guru who answers requests needs time for that, too: sites.hours.queries, REQUEST_NOTICE_MINUTES.
       AND a.starts_at >= app.now() + make_interval(
             mins => greatest(c.notice_minutes, CASE t.approval WHEN 'request' THEN 45 ELSE 0 END))
       AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'),
                    (SELECT f.enabled FROM flag_settings f WHERE f.name = 'booking'), true);
    -- Near enough in the night after a change of the clocks.
    to_local := session.local_start - (session.starts_at AT TIME ZONE 'UTC');
    offered_until := greatest(
      least(coalesce((app.add_waking_time((app.now() AT TIME ZONE 'UTC') + to_local, interval '2 hours') - to_local)
                       AT TIME ZONE 'UTC', app.now() + interval '2 hours'),
            session.starts_at - interval '1 hour'),
      app.now() + interval '15 minutes');
    SELECT * INTO entry FROM waitlist w
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.status = 'waiting'
       AND w.party <= session.capacity - session.taken AND offered_until <= session.starts_at
     ORDER BY w.number LIMIT 1;
    EXIT WHEN entry.number IS NULL;
    offer_id := gen_random_uuid();
    UPDATE waitlist w
       SET status = CASE WHEN app.create_hold(offer_id, session.id, entry.person_id, entry.party, NULL, NULL,
                                              offered_until) THEN 'offered' ELSE 'taken' END
     WHERE w.tenant_id = tenant AND w.appointment_id = session.id AND w.number = entry.number;
    PERFORM app.queue_booking_emails(b, 'spot_free', ARRAY['person']) FROM bookings b
      WHERE b.tenant_id = tenant AND b.id = offer_id;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.offer_seats(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_seats(uuid) TO porchlight_app, porchlight_overseer;
