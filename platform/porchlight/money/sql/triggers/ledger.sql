-- Keep the ledger a record that only grows: entries and accounts never change, sums never fall, a hold ends once and a
-- decided adjustment stays as it is. The subject `adjustment` belongs to adjustments that were decided.
--
-- Fires on: ledger_transactions, ledger_transfers, ledger_accounts, ledger_balances, ledger_holds, adjustments.
CREATE OR REPLACE FUNCTION app.forbid_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'the ledger only grows', TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_transfers
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE OR DELETE ON ledger_accounts
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON ledger_balances
    FOR EACH ROW WHEN (NEW.debits < OLD.debits OR NEW.credits < OLD.credits OR NEW.seq < OLD.seq
                       OR (NEW.account_id, NEW.kind, NEW.unit) <> (OLD.account_id, OLD.kind, OLD.unit))
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON ledger_balances
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON ledger_holds
    FOR EACH ROW WHEN (OLD.state <> 'held'
                       OR to_jsonb(NEW) - '{state,ended_at}'::text[] <> to_jsonb(OLD) - '{state,ended_at}'::text[])
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON ledger_holds
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON adjustments
    FOR EACH ROW WHEN (OLD.state <> 'requested'
                       OR to_jsonb(NEW) - '{state,decided_by,decided_at,transaction_id}'::text[]
                          <> to_jsonb(OLD) - '{state,decided_by,decided_at,transaction_id}'::text[])
    EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON adjustments
    FOR EACH ROW EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_transfers
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_balances
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON ledger_holds
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON adjustments
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_ledger_change();

CREATE OR REPLACE FUNCTION app.check_adjustment_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM adjustments a WHERE a.id::text = NEW.subject_id AND a.event = NEW.event
                    AND a.state = 'requested'
                    AND (a.cents <= 10000 OR lower(a.decided_by) <> lower(a.requested_by))) THEN
    RAISE check_violation USING MESSAGE = 'the adjustment was not decided';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER check_adjustment_decided BEFORE INSERT ON ledger_transactions
    FOR EACH ROW WHEN (NEW.subject_kind = 'adjustment') EXECUTE FUNCTION app.check_adjustment_decided();
