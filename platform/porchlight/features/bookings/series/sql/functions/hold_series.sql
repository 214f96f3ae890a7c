-- Keep the seats of further sessions for the current user beside one that they hold, all or none, and return the
-- outcome of each start, in the order of `starts`. The further holds end with the first one and get its party, price,
-- place and terms, which the user has seen. Returns null if the user does not hold the first one any more.
--
-- `local_starts` are the starts by the clocks of the calendar's zone. `expected_rules` is, for each start, the version of the rules for which the caller found it to be legal, -1 if it is
-- not. Outcomes: held; already_booked; those of app.get_or_create_appointment. Unless all are held, none is kept.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.hold_series(
  held_id uuid, new_ids uuid[], new_appointment_ids uuid[], starts timestamptz[], expected_rules bigint[],
  local_starts timestamp[] DEFAULT NULL,
  OUT outcomes text[])
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  hold bookings;
  session record;
BEGIN
  PERFORM app.lock_calendar();
  PERFORM app.expire_bookings();
  SELECT * INTO hold FROM bookings b
   WHERE b.tenant_id = tenant AND b.id = held_id AND b.person_id = app.user_id() AND b.status = 'held';
  IF hold.id IS NULL THEN
    RETURN;
  END IF;
  BEGIN
    FOR i IN 1 .. cardinality(starts) LOOP
      SELECT f.outcome, f.appointment_id INTO session
        FROM app.get_or_create_appointment(
          new_appointment_ids[i], hold.service_id, starts[i], hold.party, expected_rules[i], local_starts[i]) f;
      outcomes[i] := session.outcome;
      IF session.outcome = 'found' THEN
        outcomes[i] := CASE WHEN app.create_hold(new_ids[i], session.appointment_id, hold.person_id, hold.party, NULL,
                                                 NULL, hold.expires_at)
                            THEN 'held' ELSE 'already_booked' END;
      END IF;
    END LOOP;
    IF 'held' <> ANY (outcomes) THEN
      RAISE EXCEPTION 'some times are gone';  -- undo the holds of the others
    END IF;
    UPDATE bookings b
       SET service_name = hold.service_name, price_cents = hold.price_cents, currency = hold.currency,
           approval = hold.approval, place = hold.place, place_text = hold.place_text, terms = hold.terms,
           terms_digest = hold.terms_digest
     WHERE b.tenant_id = tenant AND b.id = ANY (new_ids);
  EXCEPTION WHEN raise_exception THEN
    NULL;
  END;
END $$;
REVOKE ALL ON FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[], timestamp[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[], timestamp[]) TO porchlight_app;
