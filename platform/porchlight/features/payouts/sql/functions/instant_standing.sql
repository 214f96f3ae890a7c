-- Return whether the current user can take an instant payout by our own rules, and what it depends on. `reason` is the
-- code of the first rule against it, or empty; Stripe's balance decides the rest. `left_cents`: what today's limits
-- leave, of the user and of the platform. Days are US Central, as at Stripe.
--
-- `limits` has the settings daily_count, daily_cents, platform_daily_cents, first_sale_days and change_hours, and
-- `day_start`, the first instant of the day; without it, the limits are those of the last 24 hours.
--
-- Called by: payouts and app.request_payout.
-- SECURITY DEFINER: the ledger, and the sum of today's payouts of all users. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.instant_standing(limits jsonb, OUT account_id text, OUT reason text,
                                                OUT left_cents bigint, OUT ledger_cents bigint, OUT held bigint,
                                                OUT debt bigint, OUT destinations text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
  account payout_accounts;
  stripe bigint;
  today timestamptz := coalesce((limits ->> 'day_start')::timestamptz, app.now() - interval '24 hours');
  own record;
  all_cents bigint;
  first_sale timestamptz;
BEGIN
  SELECT a.* INTO account FROM payout_accounts a WHERE a.user_id = owner;
  SELECT b.held, b.debt, b.stripe INTO held, debt, stripe FROM app.own_ledger_balances() b;
  SELECT coalesce(sum(b.credits - b.debits - b.reserved), 0) INTO ledger_cents
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = owner AND a.kind = 'guru_stripe';
  SELECT count(*) AS payouts, coalesce(sum(p.amount), 0) AS cents INTO own FROM payouts p
   WHERE p.user_id = owner AND p.method = 'instant' AND NOT p.automatic AND p.created_at >= today
     AND p.state NOT IN ('failed', 'canceled');
  SELECT coalesce(sum(p.amount), 0) INTO all_cents FROM payouts p
   WHERE p.method = 'instant' AND NOT p.automatic AND p.created_at >= today AND p.state NOT IN ('failed', 'canceled');
  SELECT t.at INTO first_sale
    FROM ledger_accounts a JOIN ledger_transfers l ON l.credit_account = a.id
    JOIN ledger_transactions t ON t.id = l.transaction_id
   WHERE a.user_id = owner AND a.kind IN ('guru_held', 'guru_payable') AND t.event <> 'test_earnings'
   ORDER BY t.at LIMIT 1;
  account_id := CASE WHEN account.connected THEN account.account_id END;
  destinations := account.destinations;
  left_cents := greatest(least((limits ->> 'daily_cents')::bigint - own.cents,
                               (limits ->> 'platform_daily_cents')::bigint - all_cents), 0);
  reason := CASE
    WHEN NOT coalesce(account.connected AND account.details_submitted, false) THEN 'not_connected_yet'
    WHEN NOT account.payouts_enabled THEN 'payouts_paused'
    WHEN debt > 0 OR stripe < 0 THEN 'balance_negative'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.account_id = account.account_id AND NOT p.automatic
                    AND p.state IN ('requested', 'sent')) THEN 'payout_in_progress'
    WHEN first_sale > app.now() - make_interval(days => (limits ->> 'first_sale_days')::integer) THEN 'first_sale_is_new'
    WHEN account.destinations_changed_at > app.now() - make_interval(hours => (limits ->> 'change_hours')::integer)
      THEN 'destination_is_new'
    WHEN own.payouts >= (limits ->> 'daily_count')::integer OR own.cents >= (limits ->> 'daily_cents')::bigint
      THEN 'payout_limit'
    WHEN all_cents >= (limits ->> 'platform_daily_cents')::bigint THEN 'platform_limit'
    ELSE '' END;
END $$;
REVOKE ALL ON FUNCTION app.instant_standing(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.instant_standing(jsonb) TO porchlight_app;
