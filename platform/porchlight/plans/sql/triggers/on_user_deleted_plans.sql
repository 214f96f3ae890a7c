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
