-- Decide on an instant payout of the current user: store it, reserve its money and its fee, and store the write that
-- sends it, all or nothing. Return `code` (`created`, `known` for the same request again, or why not), the payout's id,
-- and `cents`: the amount, or what is possible.
--
-- `net` reaches `destination`, and `gross` leaves the balance: the difference is the fee, as the caller showed it. Both are
-- checked again under the lock and never changed. `wanted` is what was asked for, NULL for everything. The payout at
-- Stripe carries it, so that a restored backup that does not have this payout can answer the same request.
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
  cents := coalesce(wanted, net);
  IF cents < 100 OR net < 1 THEN
    code := 'amount_too_small';
    RETURN;
  END IF;
  -- `wanted` is `net` or NULL. The release before passes Stripe's balance, of which `wanted` is a part.
  fee := (cents * (gross - net) + net - 1) / net;
  IF cents > standing.left_cents THEN
    code := 'payout_limit';
    RETURN;
  ELSIF cents > net OR cents + fee > standing.ledger_cents THEN
    code := 'amount_too_large';
    RETURN;
  END IF;
  payout_id := gen_random_uuid();
  INSERT INTO payouts (user_id, id, account_id, amount, fee, method, destination, last4, request_key, requested_cents)
  VALUES (owner, payout_id, standing.account_id, cents, fee, 'instant', request_payout.destination,
          request_payout.last4, request_payout.request_key, wanted);
  PERFORM app.ledger_hold(gen_random_uuid(), app.ledger_account('guru_stripe', 'usd', NULL, owner, NULL), cents + fee, 'payout',
                          payout_id::text, NULL);
  PERFORM app.create_stripe_write('payout', payout_id, standing.account_id, 'POST', '/v1/payouts', jsonb_build_object(
    'amount', cents, 'currency', 'usd', 'method', 'instant', 'destination', request_payout.destination,
    'metadata', jsonb_strip_nulls(jsonb_build_object(
      'payout', payout_id, 'request_key', nullif(request_payout.request_key, ''), 'requested_cents', wanted))));
  code := 'created';
END $$;
REVOKE ALL ON FUNCTION app.request_payout(text, bigint, bigint, bigint, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_payout(text, bigint, bigint, bigint, text, text, jsonb) TO porchlight_app;
