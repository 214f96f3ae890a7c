-- Delete what belongs to an account when it is deleted: the onboarding draft, the guru, the documents and the granted
-- plans. The guru's site goes offline at once; a job deletes everything of it. Open bookings are canceled.
--
-- Postgres fires these triggers in the order of their names. The first two take the user's publish lock before any row
-- lock, as publishing does, so the two cannot wait for each other.
-- SECURITY DEFINER on the guru's and the plans' trigger: the app role can neither change whether a guru is published
-- nor write granted plans.
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

CREATE OR REPLACE FUNCTION app.on_user_deleted_plans() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM plan_grants WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_plans() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_plans AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_plans();
