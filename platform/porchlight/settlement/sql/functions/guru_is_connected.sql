-- Return whether the account that owns the current guru can be paid: its payout account is connected and ready.
--
-- Called by: bookings, before a person pays by card besides a booking.
-- SECURITY DEFINER: payout accounts are those of other users.
CREATE OR REPLACE FUNCTION app.guru_is_connected() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM memberships m JOIN payout_accounts a ON a.user_id = m.user_id
                  WHERE m.tenant_id = app.tenant_id() AND a.connected AND a.details_submitted AND a.payouts_enabled);
$$;
REVOKE ALL ON FUNCTION app.guru_is_connected() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.guru_is_connected() TO porchlight_app, porchlight_overseer;
