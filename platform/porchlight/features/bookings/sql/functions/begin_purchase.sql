-- Begin what the current user buys by card from the current guru besides a session: store the payment with the write that
-- opens Stripe's page. `purchase` has the columns of the payment, `checkout` with the parameters of the page, and
-- `replaces`, an open payment of the same kind that the person gives up, whose page closes.
--
-- The function decides nothing, and refuses what no decision may do: a tip for another person's session or for one that
-- is not over, a tip with a fee, and a package at another price than the guru's, or of the buyer's own site.
--
-- Called by: bookings.
-- SECURITY DEFINER: the app role may not write payments and the outbox.
CREATE OR REPLACE FUNCTION app.begin_purchase(purchase jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  former record;
  made uuid;
BEGIN
  IF purchase ->> 'replaces' IS NOT NULL THEN
    UPDATE payments p SET state = 'canceled', checkout_url = ''
     WHERE p.tenant_id = tenant AND p.id = (purchase ->> 'replaces')::uuid AND p.person_id = person
       AND p.purpose = purchase ->> 'purpose' AND p.purpose <> 'session' AND p.state IN ('opening', 'open')
    RETURNING p.id, p.checkout_id INTO former;
    IF former.checkout_id <> '' THEN
      PERFORM app.create_stripe_write('session_checkout_end', former.id, '', 'POST',
                                      '/v1/checkout/sessions/' || former.checkout_id || '/expire', '{}', false);
    END IF;
  END IF;
  INSERT INTO payments (tenant_id, id, booking_id, person_id, owner_id, group_id, purpose, number, amount_cents, currency,
                        fee_cents, fee_bps, fee_minimum_cents, expires_at, idempotency_key, package)
  SELECT tenant, x.id, b.id, person, m.user_id, x.id, x.purpose,
         (SELECT coalesce(max(p.number), 0) + 1 FROM payments p
           WHERE p.tenant_id = tenant AND p.booking_id = b.id AND p.purpose = x.purpose),
         x.amount_cents, 'USD', 0, coalesce(x.fee_bps, 0), coalesce(x.fee_minimum_cents, 0), x.expires_at,
         x.idempotency_key, x.package
    FROM jsonb_to_record(purchase) AS x (id uuid, purpose text, booking_id uuid, amount_cents bigint, fee_bps smallint,
                                         fee_minimum_cents bigint, expires_at timestamptz, idempotency_key text,
                                         package jsonb)
    JOIN memberships m ON m.tenant_id = tenant
    LEFT JOIN bookings b ON b.tenant_id = tenant AND b.id = x.booking_id AND b.person_id = person
     AND b.status IN ('confirmed', 'completed') AND b.ends_at <= app.now()
    LEFT JOIN packages k ON k.tenant_id = tenant AND k.id = (x.package ->> 'package_id')::uuid AND k.price_cents > 0
     AND k.price_cents = x.amount_cents AND k.sessions = (x.package ->> 'sessions')::integer
     AND k.days = (x.package ->> 'days')::integer AND k.service_id = (x.package ->> 'service_id')::uuid
   WHERE CASE x.purpose WHEN 'tip' THEN b.id IS NOT NULL
                        WHEN 'package' THEN k.id IS NOT NULL AND m.user_id <> person END
  RETURNING id INTO STRICT made;
  PERFORM app.create_stripe_write('session_checkout', made, '', 'POST', '/v1/checkout/sessions', purchase -> 'checkout');
END $$;
REVOKE ALL ON FUNCTION app.begin_purchase(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.begin_purchase(jsonb) TO porchlight_app;
