-- Return the paid plans that a user has now, the best first, each until when and from where (grant or subscription).
-- `until` is NULL for a subscription that renews. A subscription keeps its plan for 14 days of grace: from the first
-- failed charge, or else from the end of the paid period after a cancellation.
--
-- Called by: billing, porchlight.plans and app.plan_of.
-- SECURITY INVOKER: row level security shows a request the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_rights(wanted uuid) RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM (
    SELECT g.plan, g.until, 'grant' AS source FROM plan_grants g WHERE g.user_id = wanted
     UNION ALL
    SELECT s.plan, CASE s.state WHEN 'past_due' THEN s.past_due_since
                                WHEN 'canceled' THEN coalesce(s.past_due_since, s.period_end) END + interval '14 days',
           'subscription'
      FROM subscriptions s WHERE s.user_id = wanted AND s.state IN ('active', 'past_due', 'canceled')
       AND (s.state <> 'canceled' OR coalesce(s.past_due_since, s.period_end) IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > app.now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_app, porchlight_overseer;
