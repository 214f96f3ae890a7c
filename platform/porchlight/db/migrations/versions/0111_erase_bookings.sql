-- erase bookings

-- file: functions/erase_bookings.sql
-- End what the current user has open with the transaction's guru, and erase the user's personal data from their bookings
-- there. A late cancellation is owed as by the terms. Bookings stay, without names and texts, as the guru's records.
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
         ended_at = now(), sequence = b.sequence + 1,
         owed_cents = CASE
           WHEN b.status = 'confirmed'
                AND now() >= b.starts_at - make_interval(mins => (b.terms ->> 'free_until_minutes')::integer)
           THEN ceil(b.price_cents * (b.terms ->> 'late_percent')::numeric / 100) ELSE 0 END
   WHERE b.tenant_id = tenant AND b.person_id = person
     AND (b.status IN ('held', 'requested') OR b.status = 'confirmed' AND b.starts_at > now());
  UPDATE bookings b
     SET person_name = '', participants = '{}', note = '', address_hash = NULL,
         reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

-- file: triggers/on_user_deleted.sql
-- Delete what belongs to an account when it is deleted: the onboarding draft, the guru, the documents and the payout
-- account. The guru's site goes offline at once; a job deletes everything of it. Open bookings are canceled.
--
-- Postgres fires these triggers in the order of their names. The first two take the user's publish lock before any row
-- lock, as publishing does, so the two cannot wait for each other.
-- SECURITY DEFINER on the guru's trigger: the app role cannot change whether a guru is published.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_onboarding() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  DELETE FROM category_picks WHERE user_id = NEW.user_id;
  DELETE FROM onboardings WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_onboarding AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_onboarding();

CREATE OR REPLACE FUNCTION app.on_user_deleted_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  SELECT m.tenant_id INTO own_guru_id FROM memberships m WHERE m.user_id = NEW.user_id;
  IF own_guru_id IS NOT NULL THEN
    PERFORM app.enqueue('onboarding:delete_guru', jsonb_build_object('tenant_id', own_guru_id), NULL);
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    UPDATE gurus SET published = false WHERE id = own_guru_id;
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_owner AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_owner();

CREATE OR REPLACE FUNCTION app.on_user_deleted_verification() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  DELETE FROM payout_accounts WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_verification AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_verification();

CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR guru_id IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = NEW.user_id
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = NEW.user_id ORDER BY 1
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
