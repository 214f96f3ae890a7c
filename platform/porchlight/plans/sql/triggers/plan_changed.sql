-- Start the job that applies a user's plan after a grant or a subscription changed.
-- SECURITY DEFINER: only the service role may call app.enqueue.
--
-- Fires on: plan_grants, subscriptions.
CREATE OR REPLACE FUNCTION app.plan_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM app.enqueue('plans:apply_plan', jsonb_build_object('user_id', r.user_id),
                      'plans:apply_plan:' || r.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.plan_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER plan_changed AFTER INSERT OR UPDATE OR DELETE ON plan_grants
    FOR EACH ROW EXECUTE FUNCTION app.plan_changed();
CREATE OR REPLACE TRIGGER plan_changed AFTER INSERT OR UPDATE OR DELETE ON subscriptions
    FOR EACH ROW EXECUTE FUNCTION app.plan_changed();
