-- Erase the current user's personal data from their bookings with the transaction's guru, with the names of the people
-- who came along. Bookings and packages stay, without names and texts, as the guru's records; what is left of a package
-- ends. What was open has been canceled.
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
     SET person_name = '', participants = '{}', note = '', person_address = '', person_zone = '', customer_email = '',
         address_hash = NULL, reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
   WHERE p.tenant_id = tenant AND p.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  UPDATE package_grants g SET person_name = '', taken_back = g.taken_back + g.left_over, left_over = 0
   WHERE g.tenant_id = tenant AND g.person_id = person;
  UPDATE package_events e SET details = e.details - 'reason' WHERE e.tenant_id = tenant AND e.person_id = person;
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;
