-- file: functions/instant_standing.sql
-- Return whether the current user can take an instant payout by our own rules, and what it depends on. `reason` is the
-- code of the first rule against it, or empty; Stripe's balance decides the rest. `left_cents`: what today's limits
-- leave, of the user and of the platform. Days are US Central, as at Stripe.
--
-- `limits` has the settings daily_count, daily_cents, platform_daily_cents, first_sale_days and change_hours.
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
  today timestamptz := date_trunc('day', now() AT TIME ZONE 'America/Chicago') AT TIME ZONE 'America/Chicago';
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
    WHEN first_sale > now() - make_interval(days => (limits ->> 'first_sale_days')::integer) THEN 'first_sale_is_new'
    WHEN account.destinations_changed_at > now() - make_interval(hours => (limits ->> 'change_hours')::integer)
      THEN 'destination_is_new'
    WHEN own.payouts >= (limits ->> 'daily_count')::integer OR own.cents >= (limits ->> 'daily_cents')::bigint
      THEN 'payout_limit'
    WHEN all_cents >= (limits ->> 'platform_daily_cents')::bigint THEN 'platform_limit'
    ELSE '' END;
END $$;
REVOKE ALL ON FUNCTION app.instant_standing(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.instant_standing(jsonb) TO porchlight_app;
-- file: functions/request_payout.sql
-- Decide on an instant payout of the current user: store it, reserve its money and its fee, and store the write that
-- sends it, all or nothing. Return `code` (`created`, `known` for the same request again, or why not), the payout's id,
-- and `cents`: the amount, or what is possible.
--
-- `gross` and `net` are Stripe's: the balance that can be paid out instantly, and what of it reaches `destination` after
-- fees. Without `wanted`, everything that is possible. The fee of a part is its share, rounded up.
--
-- Called by: payouts.
-- SECURITY DEFINER: the ledger and the outbox. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.request_payout(request_key text, wanted bigint, gross bigint, net bigint,
                                              destination text, last4 text, limits jsonb, OUT code text,
                                              OUT payout_id uuid, OUT cents bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
  known payouts;
  standing record;
  fee bigint;
BEGIN
  IF owner IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'a payout has an owner';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));  -- today's payouts of all users are counted
  SELECT p.* INTO known FROM payouts p
   WHERE p.user_id = owner AND p.request_key = request_payout.request_key AND request_payout.request_key <> '';
  IF FOUND THEN
    code := CASE WHEN known.requested_cents IS NOT DISTINCT FROM wanted THEN 'known' ELSE 'key_of_other_request' END;
    payout_id := known.id;
    cents := known.amount;
    RETURN;
  END IF;
  SELECT s.* INTO standing FROM app.instant_standing(limits) s;
  IF standing.reason <> '' THEN
    code := standing.reason;
    RETURN;
  END IF;
  cents := greatest(least(net, standing.left_cents, standing.ledger_cents * net / greatest(gross, 1)), 0);
  IF wanted > cents THEN
    code := CASE WHEN wanted > standing.left_cents AND standing.left_cents <= cents THEN 'payout_limit'
                 ELSE 'amount_too_large' END;
    RETURN;
  END IF;
  cents := coalesce(wanted, cents);
  IF cents < 100 THEN
    code := 'amount_too_small';
    RETURN;
  END IF;
  fee := (cents * (gross - net) + net - 1) / net;
  payout_id := gen_random_uuid();
  INSERT INTO payouts (user_id, id, account_id, amount, fee, method, destination, last4, request_key, requested_cents)
  VALUES (owner, payout_id, standing.account_id, cents, fee, 'instant', request_payout.destination,
          request_payout.last4, request_payout.request_key, wanted);
  PERFORM app.ledger_hold(gen_random_uuid(), app.ledger_account('guru_stripe', 'usd', NULL, owner, NULL), cents + fee, 'payout',
                          payout_id::text, NULL);
  PERFORM app.create_stripe_write('payout', payout_id, standing.account_id, 'POST', '/v1/payouts', jsonb_build_object(
    'amount', cents, 'currency', 'usd', 'method', 'instant', 'destination', request_payout.destination,
    'metadata', jsonb_build_object('payout', payout_id)));
  code := 'created';
END $$;
REVOKE ALL ON FUNCTION app.request_payout(text, bigint, bigint, bigint, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_payout(text, bigint, bigint, bigint, text, text, jsonb) TO porchlight_app;
