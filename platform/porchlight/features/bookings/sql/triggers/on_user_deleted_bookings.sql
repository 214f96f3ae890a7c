-- Erase the person of a deleted account from all bookings.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR guru_id IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = NEW.user_id
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = NEW.user_id
     UNION SELECT p.tenant_id FROM package_grants p WHERE p.person_id = NEW.user_id ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    PERFORM app.erase_bookings();
  END LOOP;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();
