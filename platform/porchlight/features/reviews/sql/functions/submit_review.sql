-- Write the review of one side of a booking, or change it while it is hidden. The second one reveals both at once.
-- Return its state: hidden, revealed, or closed if it was revealed before and stays as it is.
--
-- `reveals_at` is when a review of one side alone is revealed. The other side hears by email that a review waits, once
-- within `quiet`. Who has written gets no more reminders. The function decides nothing else: the caller holds the lock
-- of the booking, and has decided on it (`porchlight.features.reviews.rules`).
--
-- Called by: reviews. The transaction's user is the person of the booking, or it acts for the tenant.
-- SECURITY DEFINER: who writes the second review cannot see the first one, nor that there is one.
CREATE OR REPLACE FUNCTION app.submit_review(
  new_id uuid, booking uuid, written_by text, given_stars smallint, words text, note text, address bytea,
  alone_until timestamptz, quiet interval
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  moment timestamptz := app.now();
  other text := CASE written_by WHEN 'person' THEN 'guru' ELSE 'person' END;
  reviewed bookings;
BEGIN
  SELECT * INTO reviewed FROM bookings b WHERE b.tenant_id = tenant AND b.id = booking FOR NO KEY UPDATE;
  IF (CASE written_by WHEN 'person' THEN reviewed.person_id = app.user_id()
                      WHEN 'guru' THEN app.acting_tenant_id() = tenant END IS NOT TRUE) THEN
    RAISE insufficient_privilege USING MESSAGE = 'a review is written by its side of the booking only';
  END IF;
  INSERT INTO reviews AS r (tenant_id, id, booking_id, person_id, side, service_id, service_name, stars, body,
                            private_note, address_hash, reveals_at)
  VALUES (tenant, new_id, booking, reviewed.person_id, written_by, reviewed.service_id, reviewed.service_name,
          given_stars, words, note, address, alone_until)
  ON CONFLICT (tenant_id, booking_id, side) DO UPDATE
     SET stars = excluded.stars, body = excluded.body, private_note = excluded.private_note,
         address_hash = excluded.address_hash, updated_at = moment
   WHERE r.reveals_at > moment;
  IF NOT FOUND THEN
    RETURN 'closed';
  END IF;
  UPDATE reviews r SET reveals_at = moment
   WHERE r.tenant_id = tenant AND r.booking_id = booking AND r.reveals_at > moment
     AND EXISTS (SELECT FROM reviews o WHERE o.tenant_id = tenant AND o.booking_id = booking AND o.side = other);
  IF FOUND THEN
    -- Numbers, pages and emails follow at once.
    PERFORM app.enqueue('reviews:publish', '{}', 'reviews:publish', NULL, NULL);
    RETURN 'revealed';
  END IF;
  IF reviewed.status <> 'missed' THEN
    PERFORM app.queue_review_email(tenant, booking, 'review_waiting', other, quiet);
  END IF;
  RETURN 'hidden';
END $$;
REVOKE ALL ON FUNCTION app.submit_review(uuid, uuid, text, smallint, text, text, bytea, timestamptz, interval)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.submit_review(uuid, uuid, text, smallint, text, text, bytea, timestamptz, interval)
    TO porchlight_app, porchlight_overseer;
