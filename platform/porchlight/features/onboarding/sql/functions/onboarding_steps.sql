-- Return which of the four onboarding steps a user has completed.
--
-- Called by: onboarding and app.publish_guru.
CREATE OR REPLACE FUNCTION app.onboarding_steps(wanted uuid)
RETURNS TABLE (profile boolean, categories boolean, requirements boolean, payout boolean)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM onboardings o WHERE o.user_id = wanted AND o.complete),
         count(s.slug) > 0, coalesce(bool_and(s.submitted), false), app.payouts_connected(wanted)
    FROM app.category_status(wanted, ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = wanted)) s
$$;
