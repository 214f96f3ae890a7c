-- Erase the personal data of a deleted account from its bookings, with the names of the people who came along. Bookings
-- and packages stay, without names and texts, as the gurus' records; what is left of a package ends. What was open has
-- been canceled. What gurus noted about the person, and wrote to a bank, is deleted. The terms of packages that were bought
-- lose their words: those of a buyer, and those of a guru.
--
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  person uuid := NEW.user_id;
  tenant uuid;
BEGIN
  PERFORM set_config('app.user_id', person::text, true);
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR tenant IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = person
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = person
     UNION SELECT p.tenant_id FROM package_grants p WHERE p.person_id = person ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    PERFORM app.lock_calendar();
    DELETE FROM client_notes n USING bookings b
     WHERE n.tenant_id = tenant AND b.tenant_id = tenant AND b.id = n.booking_id AND b.person_id = person;
    UPDATE bookings b
       SET person_name = '', participants = '{}', note = '', answers = '[]', person_address = '', person_zone = '',
           customer_email = '', address_hash = NULL,
           reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
     WHERE b.tenant_id = tenant AND b.person_id = person;
    UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
     WHERE p.tenant_id = tenant AND p.person_id = person;
    UPDATE booking_events e SET details = e.details - 'reason'
     WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
    UPDATE package_grants g SET person_name = '', taken_back = g.taken_back + g.left_over, left_over = 0
     WHERE g.tenant_id = tenant AND g.person_id = person;
    UPDATE package_events e SET details = e.details - 'reason' WHERE e.tenant_id = tenant AND e.person_id = person;
    UPDATE session_disputes d SET words = '', customer_words = '' FROM payments p
     WHERE d.tenant_id = tenant AND p.tenant_id = tenant AND p.group_id = d.group_id AND p.person_id = person;
    DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
  END LOOP;
  FOR tenant IN
    SELECT DISTINCT p.tenant_id FROM payments p
     WHERE (p.person_id = person OR p.owner_id = person) AND p.package IS NOT NULL ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE payments p SET package = p.package || '{"person_name": ""}'
     WHERE p.tenant_id = tenant AND p.person_id = person AND p.package IS NOT NULL;
    UPDATE payments p SET package = p.package || '{"guru_label": "", "guru_name": "", "service_name": "", "name": ""}'
     WHERE p.tenant_id = tenant AND p.owner_id = person AND p.package IS NOT NULL;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true), set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();
