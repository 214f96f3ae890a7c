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
