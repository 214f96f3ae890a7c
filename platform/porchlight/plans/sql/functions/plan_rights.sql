-- Return the paid plans that a user has now, the best first, each until when and from where (grant or subscription).
-- `until` is NULL for a subscription that renews. Another one keeps its plan for the days of grace that
-- porchlight.plans.subscriptions gave it.
--
-- Called by: billing, porchlight.plans and app.plan_of.
-- SECURITY INVOKER: row level security shows a request the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_rights(wanted uuid) RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM (
    SELECT g.plan, g.until, 'grant' AS source FROM plan_grants g WHERE g.user_id = wanted
     UNION ALL
    SELECT s.plan, s.right_until, 'subscription' FROM subscriptions s
     WHERE s.user_id = wanted AND (s.state = 'active' OR s.right_until IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > app.now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_app, porchlight_overseer;
