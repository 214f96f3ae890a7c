-- Return what it means for the current user to ask for a plan: upgrade (now), downgrade (when the paid period ends),
-- cancel (likewise), keep (take a planned change back), or why it is not possible: no_subscription, payment_failed,
-- change_in_progress, change_pending, no_change.
--
-- Called by: billing and app.request_plan_change.
-- SECURITY INVOKER: it reads the user's own subscription and changes.
CREATE OR REPLACE FUNCTION app.plan_change_kind(wanted_plan text, wanted_interval text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  s subscriptions;
  is_planned boolean;
BEGIN
  SELECT c.* INTO s FROM subscriptions c
   WHERE c.user_id = app.user_id() AND c.state IN ('incomplete', 'active', 'past_due');
  is_planned := s.cancel_at_end OR s.next_plan IS NOT NULL;
  RETURN CASE
    WHEN s.state IS NULL OR s.state = 'incomplete' THEN 'no_subscription'
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      THEN 'change_in_progress'
    WHEN wanted_plan = s.plan AND wanted_interval = s.interval THEN CASE WHEN is_planned THEN 'keep' ELSE 'no_change' END
    WHEN is_planned THEN CASE WHEN wanted_plan = 'community' AND s.cancel_at_end THEN 'no_change' ELSE 'change_pending' END
    WHEN wanted_plan = 'community' THEN 'cancel'
    WHEN s.state = 'past_due' THEN 'payment_failed'
    WHEN s.plan = 'premium-angel' AND wanted_plan = 'skill-sharer' OR s.interval = 'year' AND wanted_interval = 'month'
      THEN 'downgrade'
    ELSE 'upgrade' END;
END $$;
REVOKE ALL ON FUNCTION app.plan_change_kind(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_change_kind(text, text) TO porchlight_app, porchlight_overseer;
