-- Write a change of bookings that was decided on app.booking_facts, all or nothing, in the same transaction: sessions,
-- bookings with their history and their emails, and the waitlist. Return the booking `changes.returned`, if it is named.
-- The form of `changes` is that of `porchlight.features.bookings.changes`.
--
-- With `changes.version`, the facts were read without the lock of the calendar. If the calendar has another version now,
-- nothing is written, and a row without an id is returned. Each change gives the calendar a new version.
--
-- The function decides nothing, and refuses what no decision may do: to change a booking of which the caller is no
-- party and that is not due to end, to act for the other side, to offer a seat to someone who does not wait for it, to
-- change the waitlist of a session in which nothing changes, and to send an email without a change. A new hold has the
-- name, price, place, `bring` and terms of its service, or of the hold `like` of the same person.
--
-- Called by: bookings. The transaction holds the lock of the calendar, or gets it here.
-- SECURITY DEFINER: the app role may not write bookings, their history, emails and the waitlist itself.
CREATE OR REPLACE FUNCTION app.apply_bookings(changes jsonb) RETURNS SETOF bookings
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  is_guru boolean := coalesce(app.acting_tenant_id() = tenant, false);
  is_service boolean := pg_has_role(session_user, 'porchlight_overseer', 'MEMBER');
  moment timestamptz := app.now();
  one jsonb;
  before bookings;
  wanted bookings;
  touched uuid[] := ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(changes -> 'ended') x);
BEGIN
  UPDATE calendars SET version = version + 1
   WHERE tenant_id = tenant AND (version = (changes ->> 'version')::bigint OR NOT changes ? 'version');
  IF NOT FOUND AND changes ? 'version' THEN
    RETURN NEXT NULL::bookings;
    RETURN;
  END IF;
  IF changes ? 'ended' THEN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id = ANY (touched);
  END IF;
  IF changes ? 'sessions' THEN
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, local_start, blocked, capacity)
    SELECT tenant, x.id, x.service_id, x.starts_at, x.ends_at, x.zone, x.local_start,
           tstzrange(x.blocked_from, x.blocked_until), x.capacity
      FROM jsonb_to_recordset(changes -> 'sessions') AS x (
             id uuid, service_id uuid, starts_at timestamptz, ends_at timestamptz, zone text, local_start timestamp,
             blocked_from timestamptz, blocked_until timestamptz, capacity smallint);
  END IF;
  IF changes ? 'capacities' THEN
    UPDATE appointments a SET capacity = x.capacity
      FROM jsonb_to_recordset(changes -> 'capacities') AS x (id uuid, capacity smallint)
     WHERE a.tenant_id = tenant AND a.id = x.id;
  END IF;
  IF changes ? 'joined' THEN
    INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, party, guru_label, guru_name, service_id,
                          service_name, starts_at, ends_at, zone)
    SELECT tenant, a.id, x.number, person, x.party, g.label, g.character, s.id, s.name, a.starts_at, a.ends_at, c.zone
      FROM jsonb_to_recordset(changes -> 'joined') AS x (appointment_id uuid, number integer, party smallint)
      JOIN appointments a ON a.tenant_id = tenant AND a.id = x.appointment_id
      JOIN gurus g ON g.id = tenant
      JOIN services s ON s.tenant_id = tenant AND s.id = a.service_id
      JOIN calendars c ON c.tenant_id = tenant;
  END IF;
  FOR one IN SELECT x FROM jsonb_array_elements(changes -> 'bookings') x LOOP
    IF one ? 'hold' THEN
      SELECT * INTO wanted FROM jsonb_populate_record(NULL::bookings, one -> 'hold');
      IF (wanted.person_id IS NULL OR wanted.person_id = person OR is_service
              OR is_guru AND wanted.customer_token IS NOT NULL
              OR EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = wanted.appointment_id
                                                  AND w.person_id = wanted.person_id AND w.status = 'waiting'))
         IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a seat is offered only to a person who waits for it';
      END IF;
      INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, hold_hash, address_hash, status, party,
                            guru_label, guru_name, service_name, starts_at, ends_at, zone, price_cents, currency,
                            approval, place, place_text, bring, terms, terms_digest, expires_at, customer_token)
      SELECT tenant, wanted.id, a.id, a.service_id, wanted.person_id, wanted.hold_hash, wanted.address_hash, 'held',
             wanted.party, g.label, g.character, coalesce(l.service_name, s.name), a.starts_at, a.ends_at, c.zone,
             coalesce(l.price_cents, s.price_cents * wanted.party), coalesce(l.currency, s.currency),
             coalesce(l.approval, CASE WHEN wanted.customer_token IS NOT NULL THEN 'instant' END, t.approval),
             coalesce(l.place, a.place, t.place),
             coalesce(l.place_text, a.place_text, t.place_text), coalesce(l.bring, t.bring),
             coalesce(l.terms, app.booking_terms(t)),
             coalesce(l.terms_digest, sha256(app.booking_terms(t)::text::bytea)), wanted.expires_at,
             wanted.customer_token
        FROM appointments a
        JOIN calendars c ON c.tenant_id = tenant
        JOIN gurus g ON g.id = tenant
        JOIN services s ON s.tenant_id = tenant AND s.id = a.service_id
        JOIN booking_settings t ON t.tenant_id = tenant AND t.service_id = a.service_id
        LEFT JOIN bookings l ON l.tenant_id = tenant AND l.id = (one ->> 'like')::uuid AND l.service_id = a.service_id
                            AND l.person_id = wanted.person_id AND l.party = wanted.party
       WHERE a.tenant_id = tenant AND a.id = wanted.appointment_id
      RETURNING * INTO STRICT wanted;
    ELSE
      SELECT * INTO STRICT before FROM bookings b WHERE b.tenant_id = tenant AND b.id = (one ->> 'id')::uuid;
      SELECT * INTO wanted FROM jsonb_populate_record(before, one -> 'values');
      IF before.status IS DISTINCT FROM one ->> 'was' THEN
        RAISE serialization_failure USING MESSAGE = 'the booking was changed since the decision';
      ELSIF (is_guru OR is_service OR before.person_id = person
                 OR before.person_id IS NULL AND before.hold_hash = decode(changes ->> 'token', 'hex')
                    AND (wanted.person_id IS NULL OR wanted.person_id = person)
                 OR before.status = 'held' AND before.address_hash = decode(changes ->> 'address', 'hex')
                    AND wanted.status = 'expired'
                 OR before.expires_at <= moment AND wanted.status = 'expired'
                 OR before.proposed_until <= moment AND wanted.proposed_start IS NULL
                    AND wanted.status = before.status AND wanted.starts_at = before.starts_at) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a booking is changed by its parties only';
      END IF;
      UPDATE bookings b
         SET (appointment_id, person_id, hold_hash, status, party, participants, person_name, note, starts_at, ends_at,
              place, place_text, person_address, person_zone, waiver_level, waiver_id, waiver_until, sequence, moves,
              late_since, series_id, proposed_start, proposed_until, proposed_reason, proposals, expires_at,
              confirmed_at, ended_by, ended_at, reason, owed_cents, idempotency_key, digest, customer_email) =
             (wanted.appointment_id, coalesce(before.person_id, wanted.person_id), wanted.hold_hash, wanted.status,
              wanted.party, wanted.participants, wanted.person_name, wanted.note, wanted.starts_at, wanted.ends_at,
              wanted.place, wanted.place_text, wanted.person_address, wanted.person_zone, wanted.waiver_level,
              wanted.waiver_id, wanted.waiver_until, wanted.sequence, wanted.moves, wanted.late_since,
              wanted.series_id, wanted.proposed_start, wanted.proposed_until, wanted.proposed_reason,
              wanted.proposals, wanted.expires_at, wanted.confirmed_at, wanted.ended_by, wanted.ended_at,
              wanted.reason, wanted.owed_cents, wanted.idempotency_key, wanted.digest, wanted.customer_email)
       WHERE b.tenant_id = tenant AND b.id = before.id;
      IF before.person_id IS NULL AND wanted.person_id IS NOT NULL THEN
        UPDATE booking_events e SET person_id = wanted.person_id
         WHERE e.tenant_id = tenant AND e.booking_id = before.id;
      END IF;
    END IF;
    touched := touched || wanted.appointment_id || before.appointment_id;
    -- In parentheses, because PL/pgSQL reads a condition up to the first THEN.
    IF (one ? 'event' AND CASE one ->> 'actor'
                            WHEN 'guru' THEN is_guru OR is_service
                            WHEN 'staff' THEN is_service
                            WHEN 'person' THEN is_service OR wanted.person_id IS NULL OR wanted.person_id = person
                            ELSE true END IS NOT TRUE) THEN
      RAISE insufficient_privilege USING MESSAGE = 'the history names who acts';
    END IF;
    IF one ? 'event' THEN
      INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
      SELECT tenant, wanted.id, count(*) + 1, wanted.person_id, one ->> 'actor', one ->> 'event', one -> 'details'
        FROM booking_events e WHERE e.tenant_id = tenant AND e.booking_id = wanted.id;
    END IF;
    IF one ? 'email' AND wanted.person_id IS NOT NULL THEN
      -- The job below sends them at once. If it is lost, another one is queued at `due_at`.
      INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
      SELECT tenant, wanted.id, one #>> '{email,kind}', x, (one #>> '{email,sequence}')::integer, wanted.person_id,
             (changes ->> 'emails_due_at')::timestamptz
        FROM jsonb_array_elements_text(one #> '{email,sides}') x ON CONFLICT DO NOTHING;
      PERFORM app.enqueue('bookings:send_emails',
                          jsonb_build_object('tenant_id', tenant, 'booking_id', wanted.id), NULL);
    END IF;
  END LOOP;
  IF changes ? 'waitlist' THEN
    UPDATE waitlist w SET status = x.status
      FROM jsonb_to_recordset(changes -> 'waitlist') AS x (appointment_id uuid, number integer, status text)
     WHERE w.tenant_id = tenant AND w.appointment_id = x.appointment_id AND w.number = x.number
       AND (is_service OR w.person_id = person OR x.status <> 'left' AND w.appointment_id = ANY (touched));
    PERFORM app.enqueue('bookings:send_waitlist_canceled',
                        jsonb_build_object('tenant_id', tenant, 'appointment_id', x.appointment_id, 'number', x.number),
                        NULL)
       FROM jsonb_to_recordset(changes -> 'waitlist') AS x (appointment_id uuid, number integer, is_notified boolean)
      WHERE x.is_notified;
  END IF;
  IF changes ? 'returned' THEN
    RETURN QUERY SELECT b.* FROM bookings b WHERE b.tenant_id = tenant AND b.id = (changes ->> 'returned')::uuid;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.apply_bookings(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.apply_bookings(jsonb) TO porchlight_app, porchlight_overseer;
