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
