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
         coalesce(nullif(d.name, ''), b.guru_name, p.package ->> 'guru_name'), coalesce(d.address, ''), coalesce(d.tax_id, ''),
         wanted.buyer_name, wanted.buyer_address, wanted.buyer_tax_id,
         coalesce(b.service_name, p.package ->> 'name' || ': ' || (p.package ->> 'sessions') || ' sessions of '
                                  || (p.package ->> 'service_name')),
         wanted.amount_cents, p.currency
    FROM payments p LEFT JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
    LEFT JOIN invoice_details d ON d.tenant_id = p.tenant_id
   WHERE p.tenant_id = tenant AND p.id = wanted.payment_id AND p.person_id = app.user_id() AND p.state = 'paid'
     AND (b.id IS NOT NULL OR p.package IS NOT NULL) AND p.purpose <> 'package_session'
     AND wanted.amount_cents <= p.amount_cents;
  IF NOT FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = 'an invoice needs an own payment that arrived';
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.issue_invoice(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.issue_invoice(jsonb) TO porchlight_app;
