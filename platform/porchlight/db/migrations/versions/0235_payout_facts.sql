-- payout facts

-- file: functions/create_payout.sql
-- Store an instant payout of the current user, reserve its money with the fee, and store the write that sends it, all or
-- nothing. Return its id. `net` reaches `destination`; `net + fee` leaves the balance. More than the books have raises
-- ledger_hold_available, and a second payout that waits for Stripe raises uq_payouts_account_id_open.
--
-- `wanted` is what was asked for, NULL for everything. The payout at Stripe carries it, so that a restored backup that
-- does not have this payout can answer the same request.
--
-- Called by: payouts, after the decision on app.payout_facts, in the transaction that holds its lock.
-- SECURITY DEFINER: the ledger and the outbox. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.create_payout(net bigint, fee bigint, destination text, last4 text, request_key text,
                                             wanted bigint) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
  payout uuid := gen_random_uuid();
  account text;
BEGIN
  SELECT a.account_id INTO account FROM payout_accounts a
   WHERE a.user_id = owner AND a.connected AND a.details_submitted AND a.payouts_enabled;
  IF account IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'a payout has an owner with a complete account';
  END IF;
  INSERT INTO payouts (user_id, id, account_id, amount, fee, method, destination, last4, request_key, requested_cents)
  VALUES (owner, payout, account, net, fee, 'instant', create_payout.destination, create_payout.last4,
          create_payout.request_key, wanted);
  PERFORM app.ledger_hold(gen_random_uuid(), app.ledger_account('guru_stripe', 'usd', NULL, owner, NULL), net + fee,
                          'payout', payout::text, NULL);
  PERFORM app.create_stripe_write('payout', payout, account, 'POST', '/v1/payouts', jsonb_build_object(
    'amount', net, 'currency', 'usd', 'method', 'instant', 'destination', create_payout.destination,
    'metadata', jsonb_strip_nulls(jsonb_build_object(
      'payout', payout, 'request_key', nullif(create_payout.request_key, ''), 'requested_cents', wanted))));
  RETURN payout;
END $$;
REVOKE ALL ON FUNCTION app.create_payout(bigint, bigint, text, text, text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_payout(bigint, bigint, text, text, text, bigint) TO porchlight_app;

-- file: functions/open_money.sql
-- Return what of the current user's money is open, so that the account cannot be deleted yet, or NULL: `payment` (a charge
-- for a change of the plan, or a refund), `payout`, `dispute`, `debt`, `balance`. No payout or change of the plan starts
-- before the transaction ends.
--
-- Called by: profiles, before it deletes an account.
-- SECURITY DEFINER: the app role cannot read stripe_outbox and the ledger.
CREATE OR REPLACE FUNCTION app.open_money() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lowest bigint;
  highest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));  -- as app.payout_facts
  PERFORM app.lock_billing(app.user_id());
  SELECT min(b.credits - b.debits), max(b.credits - b.debits) INTO lowest, highest
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = app.user_id() AND a.kind IN ('guru_held', 'guru_payable', 'guru_stripe');
  RETURN CASE
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      OR EXISTS (SELECT FROM plan_invoices i
                  JOIN stripe_outbox o ON o.kind = 'plan_refund' AND o.subject_id = i.id
                 WHERE i.user_id = app.user_id() AND o.state IN ('ready', 'sent', 'unknown')) THEN 'payment'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.user_id = app.user_id()
                    AND p.state IN ('requested', 'sent', 'in_transit')) THEN 'payout'
    WHEN EXISTS (SELECT FROM plan_disputes d WHERE d.user_id = app.user_id()
                    AND d.state IN ('inquiry', 'open', 'under_review')) THEN 'dispute'
    WHEN lowest < 0 THEN 'debt'
    WHEN highest > 0 THEN 'balance' END;
END $$;
REVOKE ALL ON FUNCTION app.open_money() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_money() TO porchlight_app, porchlight_overseer;

-- file: functions/payout_facts.sql
-- Return the facts on which an instant payout of the current user is decided, all at one moment. With `locked`, no other
-- payout can be requested until the transaction ends, and the facts are those after the lock. `day_start`: the first
-- instant of the day, since which instant payouts count: `own_` of the user, `all_cents` of all.
--
-- `ledger_cents`: what the books have for a payout, without what is reserved. `stripe_cents`: the balance of the account
-- at Stripe by the books, below zero after a dispute. `is_open`: whether a payout waits for Stripe.
--
-- Called by: payouts.
-- SECURITY DEFINER: the ledger, and the sum of the payouts of all users. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.payout_facts(day_start timestamptz, locked boolean,
  OUT account_id text, OUT is_complete boolean, OUT is_enabled boolean, OUT destinations text[],
  OUT destinations_changed_at timestamptz, OUT held bigint, OUT debt bigint, OUT stripe_cents bigint,
  OUT ledger_cents bigint, OUT is_open boolean, OUT own_count bigint, OUT own_cents bigint, OUT all_cents bigint,
  OUT first_sale_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  owner uuid := app.user_id();
BEGIN
  IF locked THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));
  END IF;
  SELECT a.account_id, a.details_submitted, a.payouts_enabled, a.destinations, a.destinations_changed_at
    INTO account_id, is_complete, is_enabled, destinations, destinations_changed_at
    FROM payout_accounts a WHERE a.user_id = owner AND a.connected;
  SELECT b.held, b.debt, b.stripe INTO held, debt, stripe_cents FROM app.own_ledger_balances() b;
  SELECT coalesce(sum(b.credits - b.debits - b.reserved), 0) INTO ledger_cents
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = owner AND a.kind = 'guru_stripe';
  SELECT count(*) FILTER (WHERE p.user_id = owner), coalesce(sum(p.amount) FILTER (WHERE p.user_id = owner), 0),
         coalesce(sum(p.amount), 0)
    INTO own_count, own_cents, all_cents
    FROM payouts p
   WHERE p.method = 'instant' AND NOT p.automatic AND p.created_at >= day_start AND p.state NOT IN ('failed', 'canceled');
  is_open := EXISTS (SELECT FROM payouts p WHERE p.account_id = payout_facts.account_id AND NOT p.automatic
                        AND p.state IN ('requested', 'sent'));
  SELECT t.at INTO first_sale_at
    FROM ledger_accounts a JOIN ledger_transfers l ON l.credit_account = a.id
    JOIN ledger_transactions t ON t.id = l.transaction_id
   WHERE a.user_id = owner AND a.kind IN ('guru_held', 'guru_payable') AND t.event <> 'test_earnings'
   ORDER BY t.at LIMIT 1;
END $$;
REVOKE ALL ON FUNCTION app.payout_facts(timestamptz, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.payout_facts(timestamptz, boolean) TO porchlight_app;
