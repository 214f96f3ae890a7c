-- Give a visitor's hold to the current user. Outcomes: claimed (also when it is theirs already), hold_expired,
-- already_booked, limited. The caller holds the lock of the calendar.
--
-- Called by: bookings and app.book_hold, for a user who has signed in and books what they held as a visitor.
-- SECURITY DEFINER: the user is no party of the booking yet. The token is the permission.
CREATE OR REPLACE FUNCTION app.claim_hold(token_hash bytea, OUT outcome text, OUT booking_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  is_visitors boolean;
BEGIN
  IF person IS NULL THEN
    outcome := 'hold_expired';
    RETURN;
  END IF;
  SELECT b.id, b.person_id IS NULL INTO booking_id, is_visitors FROM bookings b
   WHERE b.tenant_id = tenant AND b.hold_hash = token_hash AND b.status = 'held' AND b.expires_at > app.now()
     AND (b.person_id IS NULL OR b.person_id = person);
  IF booking_id IS NULL THEN
    outcome := 'hold_expired';
  ELSIF is_visitors AND (SELECT count(*) >= 2 FROM bookings b
          WHERE b.person_id = person AND b.tenant_id = tenant AND b.status = 'held' AND b.expires_at > app.now()
            AND b.id <> booking_id AND b.address_hash IS NOT NULL) THEN
    outcome := 'limited';
  ELSE
    IF is_visitors THEN
      UPDATE bookings b SET person_id = person WHERE b.tenant_id = tenant AND b.id = booking_id;
      UPDATE booking_events e SET person_id = person
       WHERE e.tenant_id = tenant AND e.booking_id = claim_hold.booking_id;
    END IF;
    outcome := 'claimed';
  END IF;
EXCEPTION WHEN unique_violation THEN
  outcome := 'already_booked';
END $$;
REVOKE ALL ON FUNCTION app.claim_hold(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.claim_hold(bytea) TO porchlight_app;
