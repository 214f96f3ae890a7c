-- statements

-- file: functions/issue_invoice.sql
-- Issue a document about a payment of the current user, with the next number of its guru and year. What it says is
-- decided by `payments.invoices.decisions`, on what the same transaction read under the same lock; the guru's words and
-- the name of the service are copied here. `billed` has the words of the buyer, and the days in the guru's zone.
--
-- Called by: bookings.payments.invoices.
-- SECURITY DEFINER: only this function adds invoices, so that numbers have no gaps and belong to real payments.
CREATE OR REPLACE FUNCTION app.issue_invoice(billed jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  wanted invoices := jsonb_populate_record(NULL::invoices, billed);
BEGIN
  -- Held to the end: the next one reads the number of this one, and a rollback leaves no gap.
  PERFORM pg_advisory_xact_lock(hashtextextended('invoices ' || tenant, 0));
  INSERT INTO invoices (tenant_id, id, payment_id, person_id, year, number, kind, corrects_id, issued_on, paid_on,
                        session_on, seller_name, seller_address, seller_tax_id, buyer_name, buyer_address, buyer_tax_id,
                        service_name, amount_cents, currency)
  SELECT tenant, wanted.id, p.id, p.person_id, wanted.year,
         1 + coalesce((SELECT max(i.number) FROM invoices i WHERE i.tenant_id = tenant AND i.year = wanted.year), 0),
         wanted.kind, wanted.corrects_id, wanted.issued_on, wanted.paid_on, wanted.session_on,
         coalesce(nullif(d.name, ''), b.guru_name), coalesce(d.address, ''), coalesce(d.tax_id, ''),
         wanted.buyer_name, wanted.buyer_address, wanted.buyer_tax_id, b.service_name, wanted.amount_cents, p.currency
    FROM payments p JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
    LEFT JOIN invoice_details d ON d.tenant_id = p.tenant_id
   WHERE p.tenant_id = tenant AND p.id = wanted.payment_id AND p.person_id = app.user_id() AND p.state = 'paid'
     AND wanted.amount_cents <= p.amount_cents;
  IF NOT FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = 'an invoice needs an own payment that arrived';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.issue_invoice(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.issue_invoice(jsonb) TO porchlight_app;

-- file: functions/own_money_changes.sql
-- Return what changed the current user's money as a guru from one instant to another: each transaction once, whichever of
-- their accounts it touched. `net` is the change of all of them together, so what only moves between them is left out.
-- `fee` is what the platform got in the same transaction, negative for what it returned. In cents.
--
-- The first and the last line of the period are found by halving: the numbers of an account have no gaps. A line is
-- numbered when its transaction locks the account, and dated when it begins: `slack` is longer than any transaction.
-- A refund that was the platform's fee alone touches no account of the guru: it is found by its payment.
--
-- Called by: console.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_money_changes(from_at timestamptz, until_at timestamptz, slack interval)
RETURNS TABLE (id uuid, at timestamptz, event text, subject_kind text, subject_id text, net bigint, fee bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  one record;
  bound timestamptz;
  accounts uuid[] := '{}';
  bounds bigint[] := '{}';  -- of each account: the first number, and the one after the last
  low bigint;
  high bigint;
  middle bigint;
BEGIN
  FOR one IN
    SELECT a.id, b.seq FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
     WHERE a.user_id = app.user_id() AND a.kind IN ('guru_held', 'guru_payable', 'guru_stripe')
  LOOP
    accounts := accounts || one.id;
    FOREACH bound IN ARRAY ARRAY[own_money_changes.from_at - slack, own_money_changes.until_at + slack] LOOP
      low := 1;
      high := one.seq + 1;
      WHILE low < high LOOP
        middle := (low + high) >> 1;
        IF (SELECT t.at FROM ledger_transactions t WHERE t.id = coalesce(
              (SELECT d.transaction_id FROM ledger_transfers d WHERE d.debit_account = one.id AND d.debit_seq = middle),
              (SELECT c.transaction_id FROM ledger_transfers c WHERE c.credit_account = one.id AND c.credit_seq = middle)
            )) < bound THEN
          low := middle + 1;
        ELSE
          high := middle;
        END IF;
      END LOOP;
      bounds := bounds || low;
    END LOOP;
  END LOOP;

  RETURN QUERY
    WITH mine AS MATERIALIZED (
      SELECT a.id, bounds[a.n + a.n - 1] AS first, bounds[a.n + a.n] AS past
        FROM unnest(accounts) WITH ORDINALITY AS a (id, n)),
    touched AS (
      SELECT d.transaction_id, -d.amount AS net
        FROM mine m JOIN ledger_transfers d ON d.debit_account = m.id AND d.debit_seq >= m.first AND d.debit_seq < m.past
      UNION ALL
      SELECT c.transaction_id, c.amount
        FROM mine m JOIN ledger_transfers c ON c.credit_account = m.id AND c.credit_seq >= m.first
         AND c.credit_seq < m.past
      UNION ALL
      SELECT t.id, 0
        FROM refunds r JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id
        JOIN ledger_transactions t ON t.subject_kind = 'refund' AND t.subject_id = r.id::text
       WHERE p.owner_id = app.user_id() AND r.fee_cents = r.amount_cents),
    changed AS (SELECT transaction_id, sum(net)::bigint AS net FROM touched GROUP BY transaction_id)
    SELECT t.id, t.at, t.event, t.subject_kind, t.subject_id, c.net, f.fee
      FROM changed c JOIN ledger_transactions t ON t.id = c.transaction_id
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(CASE WHEN l.credit_kind = 'platform_fees' THEN l.amount
                                WHEN l.debit_kind = 'platform_fees' THEN -l.amount END), 0)::bigint AS fee
         FROM ledger_transfers l WHERE l.transaction_id = t.id) f
     WHERE t.at >= own_money_changes.from_at AND t.at < own_money_changes.until_at AND (c.net <> 0 OR f.fee <> 0);
END $$;
REVOKE ALL ON FUNCTION app.own_money_changes(timestamptz, timestamptz, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_money_changes(timestamptz, timestamptz, interval) TO porchlight_app;

-- file: triggers/invoices.sql
-- Keep invoices as they were issued: no role changes or deletes one. After the years for which they are kept, only the
-- words of deleted accounts are erased (`payments.invoices.retention`).
--
-- Fires on: invoices.
CREATE OR REPLACE FUNCTION app.forbid_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'an issued invoice never changes', TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER forbid_change BEFORE UPDATE ON invoices
    FOR EACH ROW WHEN (to_jsonb(NEW) - '{seller_name,seller_address,seller_tax_id}'::text[]
                       - '{buyer_name,buyer_address,buyer_tax_id}'::text[]
                       <> to_jsonb(OLD) - '{seller_name,seller_address,seller_tax_id}'::text[]
                       - '{buyer_name,buyer_address,buyer_tax_id}'::text[]
                       OR (NEW.seller_name, NEW.seller_address, NEW.seller_tax_id) NOT IN
                          (('', '', ''), (OLD.seller_name, OLD.seller_address, OLD.seller_tax_id))
                       OR (NEW.buyer_name, NEW.buyer_address, NEW.buyer_tax_id) NOT IN
                          (('', '', ''), (OLD.buyer_name, OLD.buyer_address, OLD.buyer_tax_id)))
    EXECUTE FUNCTION app.forbid_invoice_change();
CREATE OR REPLACE TRIGGER forbid_delete BEFORE DELETE ON invoices
    FOR EACH ROW EXECUTE FUNCTION app.forbid_invoice_change();
CREATE OR REPLACE TRIGGER forbid_truncate BEFORE TRUNCATE ON invoices
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_invoice_change();
