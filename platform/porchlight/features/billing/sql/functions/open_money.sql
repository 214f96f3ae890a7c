-- Return what of the current user's money is open, so that the account cannot be deleted yet, or NULL: `payment` (a charge
-- for a change of the plan or for a session, or a refund), `payout`, `dispute`, `debt`, `balance`, `package` (one that was
-- bought has sessions left). No payout or change of the plan starts
-- before the transaction ends.
--
-- Called by: account, before it is deleted.
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
                 WHERE i.user_id = app.user_id() AND o.state IN ('ready', 'sent', 'unknown'))
      OR EXISTS (SELECT FROM payments p WHERE p.person_id = app.user_id() AND p.state IN ('opening', 'open', 'charging'))
      OR EXISTS (SELECT FROM payments p WHERE p.owner_id = app.user_id() AND p.state IN ('opening', 'open', 'charging'))
      OR EXISTS (SELECT FROM refunds r WHERE r.person_id = app.user_id() AND r.state = 'requested') THEN 'payment'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.user_id = app.user_id()
                    AND p.state IN ('requested', 'sent', 'in_transit')) THEN 'payout'
    WHEN EXISTS (SELECT FROM plan_disputes d WHERE d.user_id = app.user_id()
                    AND d.state IN ('inquiry', 'open', 'under_review'))
      OR EXISTS (SELECT FROM payments p JOIN session_disputes d ON d.group_id = p.group_id
                  WHERE p.person_id = app.user_id() AND d.state IN ('inquiry', 'open', 'under_review'))
      OR EXISTS (SELECT FROM payments p JOIN session_disputes d ON d.group_id = p.group_id
                  WHERE p.owner_id = app.user_id() AND d.state IN ('inquiry', 'open', 'under_review'))
    THEN 'dispute'
    WHEN lowest < 0 THEN 'debt'
    WHEN highest > 0 THEN 'balance'
    WHEN EXISTS (SELECT FROM payments p WHERE (p.person_id = app.user_id() OR p.owner_id = app.user_id())
                    AND p.purpose = 'package' AND p.state = 'paid' AND p.delivered_at IS NULL) THEN 'package' END;
END $$;
REVOKE ALL ON FUNCTION app.open_money() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_money() TO porchlight_app, porchlight_overseer;
