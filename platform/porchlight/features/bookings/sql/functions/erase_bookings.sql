-- End what the current user has open with the transaction's guru, and erase the user's personal data from their
-- bookings there, with the names of the people who came along. A late cancellation is owed as by the terms, unless the guru
-- asked to move the session. Bookings stay, without names and texts, as the guru's records.
--
-- Called by: the trigger on_user_deleted_bookings, for each guru.
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
CREATE OR REPLACE FUNCTION app.erase_bookings() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b
     SET status = CASE b.status WHEN 'held' THEN 'expired' ELSE 'canceled' END, expires_at = NULL, ended_by = 'person',
         ended_at = app.now(), sequence = b.sequence + 1,
         owed_cents = CASE
           WHEN b.status = 'confirmed'
                AND app.now() >= least(
                      b.late_since, b.starts_at - make_interval(mins => (b.terms ->> 'free_until_minutes')::integer))
                AND coalesce(b.proposed_until <= app.now(), true)
           THEN ceil(b.price_cents * (b.terms ->> 'late_percent')::numeric / 100) ELSE 0 END
   WHERE b.tenant_id = tenant AND b.person_id = person
     AND (b.status IN ('held', 'requested') OR b.status = 'confirmed' AND b.starts_at > app.now());
  UPDATE bookings b
     SET person_name = '', participants = '{}', note = '', person_address = '', person_zone = '', customer_email = '',
         address_hash = NULL, reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
   WHERE p.tenant_id = tenant AND p.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;
