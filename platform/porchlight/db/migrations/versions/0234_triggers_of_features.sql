-- triggers of features

-- file: triggers/keep_domain_proof.sql
-- Keep the proof of a domain, which the worker alone decides on.
--
-- A request of the previous release saves its own check of a domain. The proof is kept without an error, and the worker
-- repeats the check.
--
-- Fires on: domains.
CREATE OR REPLACE FUNCTION app.keep_domain_proof() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'porchlight_app' THEN
    NEW.verified_at := OLD.verified_at;
    NEW.proof := OLD.proof;
    NEW.certificate_until := OLD.certificate_until;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_domain_proof BEFORE UPDATE OF verified_at, proof, certificate_until ON domains
    FOR EACH ROW EXECUTE FUNCTION app.keep_domain_proof();

-- file: triggers/keep_suspension.sql
-- Keep a suspension: no request lifts it.
--
-- Fires on: users, when a suspended account would become active.
CREATE OR REPLACE FUNCTION app.keep_suspension() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'porchlight_app' THEN
    RAISE insufficient_privilege USING MESSAGE = 'only staff lift a suspension';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_suspension BEFORE UPDATE OF status ON users
    FOR EACH ROW WHEN (OLD.status <> 'active' AND NEW.status = 'active') EXECUTE FUNCTION app.keep_suspension();

-- file: triggers/on_user_deleted_bookings.sql
-- Cancel the open bookings of a deleted account and erase the person from all of them.
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

-- file: triggers/on_user_deleted_documents.sql
-- Delete the documents of a deleted account.
--
-- Fires on: users, when the status becomes erased.
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

-- file: triggers/on_user_deleted_onboarding.sql
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

-- file: triggers/on_user_deleted_plans.sql
-- Delete the granted plans of a deleted account.
-- SECURITY DEFINER: the app role cannot write granted plans.
--
-- Fires on: users, when the status becomes erased.
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
