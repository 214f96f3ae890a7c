-- Book a hold as app.book_hold does. If it needs a waiver of `level`, store who takes part and who signs for each
-- (app.add_participants); `people` is an empty list if it needs none.
--
-- Called by: bookings.
CREATE OR REPLACE FUNCTION app.book_party(
  token_hash bytea, seen_policy text, expected_rules bigint, needs_waiver boolean, accepted_waiver uuid,
  level text, people jsonb, name text, other_names text[], message text, key text, request_digest bytea,
  OUT outcome text, OUT booking bookings)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  made record;
BEGIN
  SELECT * INTO made
    FROM app.book_hold(token_hash, seen_policy, expected_rules, needs_waiver, accepted_waiver, name, other_names,
                       message, key, request_digest);
  outcome := made.outcome;
  booking := made.booking;
  IF outcome = 'booked' AND people <> '[]' THEN
    PERFORM app.add_participants(ARRAY[booking.id], level, people);
    SELECT * INTO booking FROM bookings b WHERE b.tenant_id = booking.tenant_id AND b.id = booking.id;
  END IF;
END $$;
