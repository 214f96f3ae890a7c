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
  SELECT coalesce(sum(b.credits - b.debits) FILTER (WHERE a.kind = 'guru_held'), 0),
         greatest(coalesce(sum(b.debits - b.credits) FILTER (WHERE a.kind = 'guru_payable'), 0), 0),
         coalesce(sum(b.credits - b.debits) FILTER (WHERE a.kind = 'guru_stripe'), 0),
         coalesce(sum(b.credits - b.debits - b.reserved) FILTER (WHERE a.kind = 'guru_stripe'), 0)
    INTO held, debt, stripe_cents, ledger_cents
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id WHERE a.user_id = owner;
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
