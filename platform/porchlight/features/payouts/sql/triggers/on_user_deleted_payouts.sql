-- Delete the payout account of a deleted account, unless money moved there. Then account and payouts stay for the books,
-- without bank accounts and cards.
-- SECURITY DEFINER: the app role cannot change payouts.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_payouts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM payout_accounts p WHERE p.user_id = NEW.user_id
     AND NOT EXISTS (SELECT FROM payouts o WHERE o.user_id = NEW.user_id)
     AND NOT EXISTS (SELECT FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
                      WHERE a.user_id = NEW.user_id AND a.kind = 'guru_stripe' AND b.seq > 0);
  UPDATE payout_accounts SET charges_enabled = false, payouts_enabled = false, details_submitted = false,
         currently_due = '{}', destinations = '{}', destinations_changed_at = NULL
   WHERE user_id = NEW.user_id;
  UPDATE payouts SET destination = '', last4 = '' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_payouts() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_payouts AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_payouts();
