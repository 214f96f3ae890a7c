-- Delete the onboarding draft and the guru of a deleted account. The site goes offline at once; a job deletes everything
-- of it.
--
-- Postgres fires the triggers of `users` in the order of their names. These two come first of those that lock rows and
-- take the user's publish lock before any row lock, as publishing does, so the two cannot wait for each other.
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
