-- Return whether a user's payout account is connected and ready for charges and payouts.
--
-- Called by: payouts and app.onboarding_steps.
CREATE OR REPLACE FUNCTION app.payouts_connected(wanted uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = wanted
                    AND p.connected AND p.charges_enabled AND p.payouts_enabled AND p.details_submitted)
$$;
