-- series

-- file: functions/hold_series.sql
-- Keep the seats of further sessions for the current user beside one that they hold, all or none, and return the outcome
-- of each start, in the order of `starts`. The further holds end with the first one and get its party, price, place and
-- terms, which the user has seen. Returns null if the user does not hold the first one any more.
--
-- `expected_rules` is, for each start, the version of the rules for which the caller found it to be legal, -1 if it is
-- not. Outcomes: held; already_booked; those of app.get_or_create_appointment. Unless all are held, none is kept.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed. The tenant is that of the transaction.
CREATE OR REPLACE FUNCTION app.hold_series(
  held_id uuid, new_ids uuid[], new_appointment_ids uuid[], starts timestamptz[], expected_rules bigint[],
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
          new_appointment_ids[i], hold.service_id, starts[i], hold.party, expected_rules[i]) f;
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
REVOKE ALL ON FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.hold_series(uuid, uuid[], uuid[], timestamptz[], bigint[]) TO porchlight_app;

-- file: functions/queue_booking_emails.sql
-- Queue the emails about a change of a booking to the given sides (person, guru), and the job that sends them. An email
-- that was queued before is not queued again. Bookings of a series that change together have one email to each side,
-- unless it cancels them: a calendar file can cancel one event only. The function restores the tenant that was set before.
--
-- Called by: the trigger add_booking_emails, and functions that offer a free seat.
-- SECURITY DEFINER: the app role cannot add rows to the table.
CREATE OR REPLACE FUNCTION app.queue_booking_emails(b bookings, email_kind text, sides text[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', b.tenant_id::text, true);
  IF b.series_id IS NOT NULL AND email_kind <> 'canceled' AND EXISTS (
       SELECT FROM booking_emails e JOIN bookings o ON o.tenant_id = e.tenant_id AND o.id = e.booking_id
        WHERE o.tenant_id = b.tenant_id AND o.person_id = b.person_id AND o.series_id = b.series_id AND o.id <> b.id
          AND e.kind = email_kind AND e.created_at = now()) THEN  -- of this transaction
    PERFORM set_config('app.tenant_id', previous_tenant, true);
    RETURN;
  END IF;
  -- The job below sends them at once. If it is lost, another one is queued a minute later.
  INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
  SELECT b.tenant_id, b.id, email_kind, s.side, b.sequence, b.person_id, now() + interval '1 minute'
    FROM unnest(sides) AS s (side) ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('bookings:send_emails', jsonb_build_object('booking_id', b.id), NULL);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.queue_booking_emails(bookings, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_booking_emails(bookings, text, text[]) TO porchlight_overseer;
