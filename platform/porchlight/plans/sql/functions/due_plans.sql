-- Return the users whose plan may have ended: those whose time to check has come.
--
-- Called by: plans, in the job plans:apply_due_plans.
-- SECURITY DEFINER: it reads the accounts of all users.
CREATE OR REPLACE FUNCTION app.due_plans(max_users integer) RETURNS TABLE (user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('plans:apply_due_plans');
  RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= app.now() ORDER BY u.plan_check_at LIMIT max_users;
END $$;
REVOKE ALL ON FUNCTION app.due_plans(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plans(integer) TO porchlight_app, porchlight_overseer;
