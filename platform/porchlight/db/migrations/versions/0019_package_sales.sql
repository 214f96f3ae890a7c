-- package sales

-- file: functions/apply_bookings.sql
-- Write a change of bookings that was decided on app.booking_facts, all or nothing, in the same transaction: sessions,
-- bookings with their history and their emails, and the waitlist. Return the booking `changes.returned`, if it is named.
-- The form of `changes` is that of `porchlight.features.bookings.changes`.
--
-- With `changes.version`, the facts were read without the lock of the calendar. If the calendar has another version now,
-- nothing is written, and a row without an id is returned. Each change gives the calendar a new version.
--
-- The function decides nothing, and refuses what no decision may do: to change a booking of which the caller is no
-- party and that is not due to end, to act for the other side, to check oneself in, to offer a seat to someone who does
-- not wait for it, to change the waitlist of a session in which nothing changes, and to send an email without a change.
-- A new hold has the name, price, place, `bring`, questions and terms of its service, or of the hold `like` of the same person.
--
-- A booking passes from a customer without an account to the user who claims it: to the bearer of the customer's link
-- (`changes.claimed`), with all that the guru booked for the same customer, or to the account whose verified address the
-- guru entered. What belongs to it passes too, and the link stays known (`bookings.claimed_token`).
--
-- `packages` are those that the guru gives, extends or takes back.
--
-- `payments` come last, because a payment is locked after its booking. One begins for a hold of its person, with the
-- write that opens Stripe's page, and the amount that the booking's terms say; or for what they owe of a booking that has
-- ended, instead of a payment that the bank refused. The service role marks it as paid or ended, and a card as kept; a
-- refund reserves its amount in the payment by one conditional update, so that refunds together never exceed what the
-- bank has left of it, and is stored with its write. A person's own change returns what a booking that it ends does not
-- owe, and a guru acts as the guru. A card that is kept is charged once, what the booking owes that the same change ends.
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
  is_claim boolean;
  package package_grants;
  event_number integer;
  claimed uuid := (SELECT b.person_id FROM bookings b
                    WHERE b.tenant_id = tenant AND b.customer_token = (changes ->> 'claimed')::uuid);
  address text := (SELECT lower(u.email) FROM users u WHERE u.user_id = person AND u.email_verified);
  changed uuid[] := '{}';
  made uuid;
  owner uuid;
  stripe_id text;
  params jsonb;
  touched uuid[] := ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(changes -> 'ended') x);
BEGIN
  IF NOT app.next_calendar_version((changes ->> 'version')::bigint) AND changes ? 'version' THEN
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
                            approval, place, place_text, bring, questions, terms, terms_digest, expires_at,
                            customer_token, client_id)
      SELECT tenant, wanted.id, a.id, a.service_id, wanted.person_id, wanted.hold_hash, wanted.address_hash, 'held',
             wanted.party, g.label, g.character, coalesce(l.service_name, s.name), a.starts_at, a.ends_at, c.zone,
             coalesce(l.price_cents, s.price_cents * wanted.party), coalesce(l.currency, s.currency),
             coalesce(l.approval, CASE WHEN wanted.customer_token IS NOT NULL THEN 'instant' END, t.approval),
             coalesce(l.place, a.place, t.place),
             coalesce(l.place_text, a.place_text, t.place_text), coalesce(l.bring, t.bring),
             coalesce(l.questions, t.questions), coalesce(l.terms, app.booking_terms(t)),
             coalesce(l.terms_digest, sha256(app.booking_terms(t)::text::bytea)), wanted.expires_at,
             wanted.customer_token, wanted.client_id
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
      is_claim := coalesce(before.customer_token IS NOT NULL AND wanted.customer_token IS NULL
                           AND wanted.person_id = person AND wanted.status = before.status
                           AND (before.person_id = claimed OR lower(before.customer_email) = address), false);
      IF before.status IS DISTINCT FROM one ->> 'was' THEN
        RAISE serialization_failure USING MESSAGE = 'the booking was changed since the decision';
      ELSIF (is_guru OR is_service OR before.person_id = person OR is_claim
                 OR before.person_id IS NULL AND before.hold_hash = decode(changes ->> 'token', 'hex')
                    AND (wanted.person_id IS NULL OR wanted.person_id = person)
                 OR before.status = 'held' AND before.address_hash = decode(changes ->> 'address', 'hex')
                    AND wanted.status = 'expired'
                 OR before.expires_at <= moment AND wanted.status = 'expired'
                 OR before.proposed_until <= moment AND wanted.proposed_start IS NULL
                    AND wanted.status = before.status AND wanted.starts_at = before.starts_at) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a booking is changed by its parties only';
      ELSIF wanted.checked_in_at IS NOT NULL AND wanted.checked_in_at IS DISTINCT FROM before.checked_in_at
            AND NOT (is_guru OR is_service) THEN
        RAISE insufficient_privilege USING MESSAGE = 'only the guru checks people in';
      END IF;
      UPDATE bookings b
         SET (appointment_id, person_id, hold_hash, status, party, participants, person_name, note, answers, starts_at,
              ends_at, place, place_text, person_address, person_zone, waiver_level, waiver_id, waiver_until, sequence, moves,
              late_since, series_id, proposed_start, proposed_until, proposed_reason, proposals, expires_at,
              confirmed_at, ended_by, ended_at, reason, owed_cents, idempotency_key, digest, customer_email, customer_token,
              claimed_token, price_cents, package_grant_id, package_sessions, package_name, checked_in_at, checked_in_by) =
             (wanted.appointment_id,
              CASE WHEN is_claim THEN person ELSE coalesce(before.person_id, wanted.person_id) END, wanted.hold_hash, wanted.status,
              wanted.party, wanted.participants, wanted.person_name, wanted.note, wanted.answers, wanted.starts_at,
              wanted.ends_at, wanted.place, wanted.place_text, wanted.person_address, wanted.person_zone, wanted.waiver_level,
              wanted.waiver_id, wanted.waiver_until, wanted.sequence, wanted.moves, wanted.late_since,
              wanted.series_id, wanted.proposed_start, wanted.proposed_until, wanted.proposed_reason,
              wanted.proposals, wanted.expires_at, wanted.confirmed_at, wanted.ended_by, wanted.ended_at,
              wanted.reason, wanted.owed_cents, wanted.idempotency_key, wanted.digest, wanted.customer_email,
              CASE WHEN NOT is_claim THEN before.customer_token END,
              CASE WHEN is_claim THEN before.customer_token ELSE before.claimed_token END,
              wanted.price_cents, wanted.package_grant_id, wanted.package_sessions, wanted.package_name,
              wanted.checked_in_at, wanted.checked_in_by)
       WHERE b.tenant_id = tenant AND b.id = before.id;
      -- What is left of a package follows what its bookings use. Its constraint rejects one session too many.
      IF (before.package_grant_id, before.package_sessions)
         IS DISTINCT FROM (wanted.package_grant_id, wanted.package_sessions) THEN
        UPDATE package_grants p SET left_over = p.left_over + before.package_sessions
         WHERE p.tenant_id = tenant AND p.id = before.package_grant_id;
        UPDATE package_grants p SET left_over = p.left_over - wanted.package_sessions
         WHERE p.tenant_id = tenant AND p.id = wanted.package_grant_id;
      END IF;
      IF is_claim OR before.person_id IS NULL AND wanted.person_id IS NOT NULL THEN
        UPDATE booking_events e SET person_id = wanted.person_id
         WHERE e.tenant_id = tenant AND e.booking_id = before.id;
      END IF;
      IF is_claim THEN
        UPDATE booking_emails e SET person_id = person WHERE e.tenant_id = tenant AND e.booking_id = before.id;
        UPDATE participants p SET person_id = person WHERE p.tenant_id = tenant AND p.booking_id = before.id;
        UPDATE reviews r SET person_id = person WHERE r.tenant_id = tenant AND r.booking_id = before.id;
        UPDATE package_grants g SET person_id = person, is_customer = false
         WHERE g.tenant_id = tenant AND g.person_id = before.person_id;
        UPDATE package_events e SET person_id = person WHERE e.tenant_id = tenant AND e.person_id = before.person_id;
      END IF;
    END IF;
    touched := touched || wanted.appointment_id || before.appointment_id;
    changed := changed || wanted.id;
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
      -- The event stands between the messages of the two, if they write to each other.
      IF EXISTS (SELECT FROM threads t
                  WHERE t.guru_id = tenant AND wanted.person_id IN (t.person_a_id, t.person_b_id)) THEN
        PERFORM app.enqueue('messages:announce_event',
                            jsonb_build_object('guru_id', tenant, 'person_id', wanted.person_id), NULL);
      END IF;
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
  IF changes ? 'packages' AND NOT (is_guru OR is_service) THEN
    RAISE insufficient_privilege USING MESSAGE = 'packages are given and changed by their guru';
  END IF;
  FOR one IN SELECT x FROM jsonb_array_elements(changes -> 'packages') x LOOP
    IF one ? 'grant' THEN
      INSERT INTO package_grants (tenant_id, id, package_id, person_id, person_name, is_customer, guru_label, guru_name,
                                  service_id, service_name, name, granted, left_over, expires_at, zone,
                                  idempotency_key, digest)
      SELECT tenant, x.id, p.id, b.person_id, b.person_name, b.customer_token IS NOT NULL, g.label, g.character,
             s.id, s.name, p.name, x.granted, x.granted, x.expires_at, c.zone, x.idempotency_key, x.digest
        FROM jsonb_to_record(one -> 'grant') AS x (id uuid, package_id uuid, booking_id uuid, granted smallint,
                                                   expires_at timestamptz, idempotency_key text, digest bytea)
        JOIN packages p ON p.tenant_id = tenant AND p.id = x.package_id
        JOIN bookings b ON b.tenant_id = tenant AND b.id = x.booking_id AND b.person_id IS NOT NULL
        JOIN gurus g ON g.id = tenant
        JOIN services s ON s.tenant_id = tenant AND s.id = p.service_id
        JOIN calendars c ON c.tenant_id = tenant
      RETURNING * INTO STRICT package;
    ELSE
      SELECT * INTO STRICT package FROM package_grants p WHERE p.tenant_id = tenant AND p.id = (one ->> 'id')::uuid;
      SELECT * INTO package FROM jsonb_populate_record(package, one -> 'values');
      UPDATE package_grants p
         SET (left_over, taken_back, expires_at, settled, end_told_at) =
             (package.left_over, package.taken_back, package.expires_at, package.settled,
              CASE WHEN p.expires_at = package.expires_at THEN p.end_told_at END)
       WHERE p.tenant_id = tenant AND p.id = package.id;
    END IF;
    INSERT INTO package_events (tenant_id, grant_id, number, person_id, event, details)
    SELECT tenant, package.id, count(*) + 1, package.person_id, one ->> 'event', one -> 'details'
      FROM package_events e WHERE e.tenant_id = tenant AND e.grant_id = package.id
    RETURNING number INTO event_number;
    PERFORM app.enqueue('bookings:send_package_email',
                        jsonb_build_object('tenant_id', tenant, 'grant_id', package.id, 'number', event_number), NULL);
  END LOOP;
  FOR one IN SELECT x FROM jsonb_array_elements(changes -> 'payments') x LOOP
    IF one ? 'begin' THEN
      owner := (SELECT m.user_id FROM memberships m WHERE m.tenant_id = tenant);
      IF one #>> '{begin,is_owed}' = 'true' THEN
        UPDATE payments p SET state = 'released'
         WHERE p.tenant_id = tenant AND p.booking_id = (one #>> '{begin,booking_id}')::uuid AND p.person_id = person
           AND p.mode = 'hold' AND p.state = 'unpaid'
        RETURNING p.owner_id INTO STRICT owner;
      END IF;
      INSERT INTO payments (tenant_id, id, booking_id, person_id, owner_id, group_id, number, mode, amount_cents,
                            currency, fee_cents, fee_bps, fee_minimum_cents, expires_at)
      SELECT tenant, x.id, b.id, b.person_id, owner, x.group_id, x.number, x.mode, x.amount_cents,
             b.currency, x.fee_cents, x.fee_bps, x.fee_minimum_cents, x.expires_at
        FROM jsonb_to_record(one -> 'begin') AS x (id uuid, booking_id uuid, group_id uuid, number smallint, mode text,
                                                   amount_cents bigint, fee_cents bigint, fee_bps smallint,
                                                   fee_minimum_cents bigint, is_owed boolean, expires_at timestamptz)
        JOIN bookings b ON b.tenant_id = tenant AND b.id = x.booking_id AND b.person_id = person
         AND b.currency = 'USD'
         AND CASE WHEN x.is_owed THEN b.status IN ('canceled', 'missed') AND x.amount_cents = b.owed_cents
                  WHEN b.status <> 'held' THEN false
                  WHEN x.mode = 'full' THEN x.amount_cents = b.price_cents
                  WHEN x.mode = 'deposit' THEN b.terms ->> 'payment' = 'deposit' AND x.amount_cents < b.price_cents
                    AND abs(x.amount_cents - b.price_cents * (b.terms ->> 'deposit_percent')::numeric / 100) < 1
                  ELSE b.terms ->> 'payment' = 'hold' AND x.amount_cents <= b.price_cents END
      RETURNING id INTO STRICT made;
      IF one ? 'checkout' THEN
        PERFORM app.create_stripe_write('session_checkout', (one #>> '{begin,group_id}')::uuid, '', 'POST',
                                        '/v1/checkout/sessions', one -> 'checkout');
      END IF;
    ELSIF one ? 'paid' OR one ? 'ended' OR one ? 'kept' THEN
      IF NOT is_service THEN
        RAISE insufficient_privilege
          USING MESSAGE = 'only the payment provider tells that a payment is paid or over, or that a card is kept';
      END IF;
      IF one ? 'kept' THEN
        UPDATE payments p
           SET (state, checkout_url, customer_id, method_id, card_brand, card_last4, checked_at) =
               ('kept', '', x.customer_id, x.method_id, x.card_brand, x.card_last4, x.checked_at)
          FROM jsonb_to_record(one -> 'kept') AS x (id uuid, customer_id text, method_id text, card_brand text,
                                                    card_last4 text, checked_at timestamptz)
         WHERE p.tenant_id = tenant AND p.id = x.id AND p.mode = 'hold'
           AND p.state IN ('opening', 'open', 'expired', 'failed', 'canceled')
        RETURNING p.id INTO STRICT made;
      ELSIF one ? 'paid' THEN
        UPDATE payments p
           SET (state, paid_at, checkout_url, intent_id, charge_id, card_brand, card_last4, checked_at) =
               ('paid', moment, '', x.intent_id, x.charge_id, coalesce(nullif(x.card_brand, ''), p.card_brand),
                coalesce(nullif(x.card_last4, ''), p.card_last4), x.checked_at)
          FROM jsonb_to_record(one -> 'paid') AS x (id uuid, intent_id text, charge_id text, card_brand text,
                                                    card_last4 text, checked_at timestamptz)
         WHERE p.tenant_id = tenant AND p.id = x.id AND p.state <> 'paid'
        RETURNING p.id INTO STRICT made;
      ELSE
        UPDATE payments p SET state = x.state, checkout_url = '', error_code = coalesce(x.error_code, '')
          FROM jsonb_to_record(one -> 'ended') AS x (id uuid, state text, error_code text)
         WHERE p.tenant_id = tenant AND p.id = x.id AND p.state IN ('opening', 'open', 'charging');
      END IF;
    ELSIF one ? 'charge' THEN
      UPDATE payments p SET (state, amount_cents, fee_cents) = ('charging', x.amount_cents, x.fee_cents)
        FROM jsonb_to_record(one -> 'charge') AS x (id uuid, amount_cents bigint, fee_cents bigint), bookings b
       WHERE p.tenant_id = tenant AND p.id = x.id AND p.mode = 'hold' AND p.state = 'kept'
         AND x.amount_cents <= p.amount_cents
         AND b.tenant_id = tenant AND b.id = p.booking_id AND b.id = ANY (changed)
         AND b.status IN ('canceled', 'missed') AND x.amount_cents = b.owed_cents
      RETURNING p.id, jsonb_build_object(
        'amount', p.amount_cents, 'currency', 'usd', 'customer', p.customer_id, 'payment_method', p.method_id,
        'confirm', true, 'off_session', true, 'transfer_group', p.group_id,
        'description', CASE b.status WHEN 'missed' THEN 'Missed session: ' ELSE 'Late cancellation: ' END
                       || b.service_name || ' with ' || b.guru_name,
        'metadata', jsonb_build_object('payment', p.id)) INTO STRICT made, params;
      PERFORM app.create_stripe_write('session_charge', made, '', 'POST', '/v1/payment_intents', params);
    ELSIF one ? 'released' THEN
      UPDATE payments p SET state = 'released'
       WHERE p.tenant_id = tenant AND p.id = (one ->> 'released')::uuid AND p.state IN ('kept', 'unpaid')
         AND (is_guru OR is_service
              OR EXISTS (SELECT FROM bookings b
                          WHERE b.tenant_id = tenant AND b.id = p.booking_id AND b.id = ANY (changed)
                            AND b.status NOT IN ('held', 'requested', 'confirmed')))
      RETURNING p.id INTO STRICT made;
    ELSIF one ? 'canceled' THEN
      -- The page closes at once if it is open; otherwise as soon as it has been opened.
      UPDATE payments p SET state = 'canceled', checkout_url = ''
       WHERE p.tenant_id = tenant AND p.id = (one ->> 'canceled')::uuid AND p.state IN ('opening', 'open')
         AND (p.person_id = person OR is_guru OR is_service)
      RETURNING p.checkout_id INTO stripe_id;
      IF stripe_id <> '' AND one ->> 'close' = 'true' THEN
        PERFORM app.create_stripe_write('session_checkout_end', (one ->> 'canceled')::uuid, '', 'POST',
                                        '/v1/checkout/sessions/' || stripe_id || '/expire', '{}', false);
      END IF;
    ELSE
      UPDATE payments p
         SET refunded_cents = p.refunded_cents + x.amount_cents, fee_returned_cents = p.fee_returned_cents + x.fee_cents
        FROM jsonb_to_record(one -> 'refund') AS x (payment_id uuid, amount_cents bigint, fee_cents bigint)
       WHERE p.tenant_id = tenant AND p.id = x.payment_id AND p.state = 'paid' AND NOT p.disputed
         AND p.refunded_cents + x.amount_cents <= p.amount_cents - p.disputed_cents - p.used_cents
         AND (is_service
              OR is_guru AND one #>> '{refund,again_of}' IS NULL
                 AND one #>> '{refund,reason}' <> 'support'
                 AND (one #>> '{refund,reason}' <> 'goodwill' OR one #>> '{refund,actor}' = 'guru')
              OR one #>> '{refund,reason}' NOT IN ('goodwill', 'support') AND one #>> '{refund,again_of}' IS NULL
                 AND EXISTS (SELECT FROM bookings b
                              WHERE b.tenant_id = tenant AND b.id = p.booking_id AND b.id = ANY (changed)
                                AND b.status NOT IN ('held', 'requested', 'confirmed')
                                AND x.amount_cents
                                    <= p.amount_cents - p.refunded_cents - p.disputed_cents - b.owed_cents))
      RETURNING p.intent_id INTO STRICT stripe_id;
      INSERT INTO refunds (tenant_id, id, payment_id, person_id, amount_cents, fee_cents, reason, actor, after_delivery,
                           again_of, idempotency_key, digest)
      SELECT tenant, x.id, p.id, p.person_id, x.amount_cents, x.fee_cents, x.reason, x.actor,
             p.delivered_at IS NOT NULL, x.again_of, coalesce(x.idempotency_key, ''), x.digest
        FROM jsonb_to_record(one -> 'refund') AS x (id uuid, payment_id uuid, amount_cents bigint, fee_cents bigint,
                                                    reason text, actor text, again_of uuid, idempotency_key text,
                                                    digest bytea)
        JOIN payments p ON p.tenant_id = tenant AND p.id = x.payment_id
      RETURNING id INTO STRICT made;
      PERFORM app.create_stripe_write('session_refund', made, '', 'POST', '/v1/refunds', jsonb_build_object(
        'payment_intent', stripe_id, 'amount', (one #>> '{refund,amount_cents}')::bigint,
        'reason', 'requested_by_customer', 'metadata', jsonb_build_object('refund', made)));
      IF one #>> '{refund,reason}' IN ('goodwill', 'support') AND one #>> '{refund,again_of}' IS NULL THEN
        PERFORM app.enqueue('bookings:send_refund_emails',
                            jsonb_build_object('tenant_id', tenant, 'refund_id', made), NULL);
      END IF;
    END IF;
  END LOOP;
  IF changes ? 'returned' THEN
    RETURN QUERY SELECT b.* FROM bookings b WHERE b.tenant_id = tenant AND b.id = (changes ->> 'returned')::uuid;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.apply_bookings(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.apply_bookings(jsonb) TO porchlight_app, porchlight_overseer;

-- file: functions/begin_purchase.sql
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

-- file: functions/booking_facts.sql
-- Return the facts on which a change of bookings is decided, of one moment (`porchlight.features.bookings.facts`). Times
-- are ISO 8601; ids and names of people are not decided on, so no name, note or address is among the facts.
--
-- The bookings: those of `ids`; the hold with the token digest `token`; the user's booking under the idempotency key
-- `key`, or that of the customer's link `customer`; with `series`, the others of the same person's series; the open
-- ones of the session `appointment` and, with `all_open`, all that the user has; and those whose time has passed,
-- because they end first. The sessions: those of the bookings and of `appointment`, those with seats to offer, and
-- those that decide whether the service is free at `starts`: within its time, or near a start if the guru limits their
-- days. `busy`: the times of busy sources within the service's time. If they are `counted`, also the holds of the user
-- and of visitors: those of now, of the time `recent`, those of the network address, and all of visitors near the first
-- start. `near` is longer than any local day.
--
-- The packages (`grants`): those of `ids`, those that the bookings use or used, and the user's own ones that have
-- sessions left, with the payment of one that was bought. `uses` has the package of each booking that has one, `payments` the latest payment of each.
--
-- Nothing is locked. Either the transaction has locked the calendar before (app.lock_calendar), or app.apply_bookings
-- compares the version of the calendar with that of the facts.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed, nor of those who wait. The tenant and
-- the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.booking_facts(
  ids uuid[] DEFAULT '{}', token bytea DEFAULT NULL, key text DEFAULT NULL, series boolean DEFAULT false,
  appointment uuid DEFAULT NULL, all_open boolean DEFAULT false, service uuid DEFAULT NULL,
  starts timestamptz[] DEFAULT '{}', near interval DEFAULT NULL, customer uuid DEFAULT NULL,
  counted boolean DEFAULT false, address bytea DEFAULT NULL, recent interval DEFAULT NULL, waiver uuid DEFAULT NULL)
RETURNS json LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  moment timestamptz := app.now();
  chosen uuid[] := ids;
  concerned uuid[] := '{}';
  offered uuid[] := '{}';
  has_day_max boolean;
  calendar json;
  found_bookings json;
  found_sessions json;
  found_busy json;
  found_services json;
  found_waiver json;
  found_grants json;
  found_uses json;
  found_payments json;
  visitors json;
  usage json;
BEGIN
  SELECT row_to_json(x), x.day_max IS NOT NULL INTO calendar, has_day_max FROM (
    SELECT c.version, c.rules_version, c.zone, c.notice_minutes, c.day_max, g.status = 'active' AS is_active,
           coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'),
                    (SELECT f.enabled FROM flag_settings f WHERE f.name = 'booking'), true) AS takes_bookings,
           EXISTS (SELECT FROM memberships m JOIN hidden_people h ON h.user_id = m.user_id WHERE m.tenant_id = tenant)
             AS is_blocked
      FROM calendars c JOIN gurus g ON g.id = c.tenant_id WHERE c.tenant_id = tenant) x;
  chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                             WHERE b.tenant_id = tenant AND (b.expires_at <= moment OR b.proposed_until <= moment));
  IF token IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b WHERE b.tenant_id = tenant AND b.hold_hash = token);
  END IF;
  IF key IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.person_id = person AND b.idempotency_key = key);
  END IF;
  IF customer IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b WHERE b.tenant_id = tenant AND b.customer_token = customer);
  END IF;
  IF appointment IS NOT NULL THEN
    concerned := ARRAY[appointment];
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.appointment_id = appointment
                                 AND b.status IN ('held', 'requested', 'confirmed'));
  END IF;
  IF all_open THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.person_id = person
                                 AND b.status IN ('held', 'requested', 'confirmed'));
  END IF;
  IF series THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings n
                                JOIN bookings b ON b.tenant_id = tenant AND b.person_id = n.person_id
                                 AND b.series_id = n.series_id AND b.status IN ('held', 'requested', 'confirmed')
                               WHERE n.tenant_id = tenant AND n.id = ANY (chosen));
  END IF;
  IF counted THEN
    IF cardinality(starts) > 0 THEN
      SELECT json_agg(x), chosen || array_agg(x.id) FILTER (WHERE x.is_address) INTO visitors, chosen FROM (
        SELECT b.id, b.starts_at, b.address_hash IS NOT DISTINCT FROM booking_facts.address AS is_address
          FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
         WHERE b.tenant_id = tenant AND b.status = 'held' AND u.email_verified IS NOT TRUE AND b.expires_at > moment
           AND b.starts_at BETWEEN starts[1] - near AND starts[1] + near
         ORDER BY b.id DESC) x;
    END IF;
    SELECT json_build_object('is_verified', EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.email_verified),
                             'own', own, 'of_address', of_address, 'visitors', visitors) INTO usage
      FROM (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment AND b.address_hash IS NOT NULL)
                     AS held,
                   count(*) FILTER (WHERE b.status = 'requested' AND b.expires_at > moment) AS requested,
                   count(DISTINCT coalesce(b.series_id, b.id)) FILTER (
                     WHERE b.address_hash IS NOT NULL AND b.created_at > moment - recent) AS recent
              FROM bookings b
             WHERE b.person_id = person AND b.tenant_id = tenant
               AND (b.expires_at IS NOT NULL OR b.created_at > moment - recent)) own,
           (SELECT count(*) AS recent, count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment) AS held
              FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
             WHERE b.tenant_id = tenant AND b.address_hash = booking_facts.address AND b.created_at > moment - recent
               AND u.email_verified IS NOT TRUE) of_address;
  END IF;
  IF cardinality(chosen) > 0 THEN
    SELECT json_agg(x), concerned || array_agg(x.appointment_id) INTO found_bookings, concerned FROM (
      SELECT b.id, b.appointment_id, b.service_id, b.person_id, b.status, b.party, b.starts_at, b.ends_at, b.zone,
             b.price_cents, b.currency, b.approval, b.place, b.place_text, b.person_address, b.terms,
             encode(b.terms_digest, 'hex') AS terms_digest, b.waiver_level, b.waiver_until, b.sequence, b.moves,
             b.late_since, b.series_id, b.proposed_start, b.proposed_until, b.proposals, b.expires_at, b.ended_by,
             b.owed_cents, b.checked_in_at, b.checked_in_by,
             b.customer_token IS NOT NULL AS is_customer, b.address_hash IS NULL AS is_offer,
             b.hold_hash = token AS is_token,
             b.idempotency_key = key AND b.person_id = person OR b.customer_token = customer AS is_key,
             b.idempotency_key IS NOT NULL AS is_sent, encode(b.digest, 'hex') AS digest
        FROM bookings b WHERE b.tenant_id = tenant AND b.id = ANY (chosen)
       ORDER BY b.starts_at, b.id) x;
  END IF;
  concerned := concerned || ARRAY(SELECT a.id FROM appointments a
                                   WHERE a.tenant_id = tenant AND a.live AND a.waiting > 0 AND a.taken < a.capacity);
  IF cardinality(starts) > 0 THEN
    concerned := concerned || ARRAY(
      SELECT a.id
        FROM booking_settings t
        JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
       CROSS JOIN unnest(booking_facts.starts) AS wanted (start)
        JOIN appointments a ON a.tenant_id = tenant AND a.live
         AND a.blocked && CASE WHEN has_day_max THEN tstzrange(start - near, start + near)
                               ELSE tstzrange(start - make_interval(mins => t.setup_minutes),
                                              start + make_interval(mins => s.duration_minutes + t.cleanup_minutes)) END
       WHERE t.tenant_id = tenant AND t.service_id = service);
    SELECT json_agg(json_build_array(lower(u.during), upper(u.during))) INTO found_busy
      FROM booking_settings t
      JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
     CROSS JOIN unnest(booking_facts.starts) AS wanted (start)
      JOIN busy_times u ON u.tenant_id = tenant
       AND u.during && tstzrange(start - make_interval(mins => t.setup_minutes),
                                 start + make_interval(mins => s.duration_minutes + t.cleanup_minutes))
     WHERE t.tenant_id = tenant AND t.service_id = service;
  END IF;
  IF cardinality(concerned) > 0 THEN
    SELECT json_agg(x), array_agg(x.service_id) INTO found_sessions, offered FROM (
      SELECT a.id, a.kind, a.service_id, a.starts_at, a.ends_at, a.zone, lower(a.blocked) AS blocked_from,
             upper(a.blocked) AS blocked_until, a.capacity, a.taken, a.fixed, a.live, a.place, a.place_text,
             (SELECT json_agg(w) FROM (
                SELECT w.number, w.person_id, w.party, w.status FROM waitlist w
                 WHERE w.tenant_id = tenant AND w.appointment_id = a.id AND w.status IN ('waiting', 'offered')
                 ORDER BY w.number) w) AS waitlist,
             (SELECT max(w.number) FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = a.id)
               AS last_number,
             (SELECT json_agg(b.person_id) FROM bookings b
               WHERE b.tenant_id = tenant AND b.appointment_id = a.id
                 AND b.status IN ('held', 'requested', 'confirmed')
                 AND (b.person_id = person
                      OR b.person_id IN (SELECT w.person_id FROM waitlist w WHERE a.waiting > 0
                                            AND w.tenant_id = tenant AND w.appointment_id = a.id
                                            AND w.status = 'waiting'))) AS seated
        FROM appointments a WHERE a.tenant_id = tenant AND a.id = ANY (concerned)
       ORDER BY a.starts_at, a.id) x;
  END IF;
  SELECT json_agg(x) INTO found_services FROM (
    SELECT s.id, s.duration_minutes AS minutes, s.over_limit, t.open, t.approval, t.capacity, t.party_max, t.starts,
           t.place, t.place_text, t.setup_minutes, t.cleanup_minutes
      FROM booking_settings t JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
     WHERE t.tenant_id = tenant AND t.service_id = ANY (offered || service)) x;
  IF waiver IS NOT NULL THEN
    SELECT row_to_json(x) INTO found_waiver FROM (
      SELECT w.id, w.level, w.expires_at FROM waivers w
       WHERE w.user_id = person AND w.id = waiver AND w.ended_at IS NULL) x;
  END IF;
  SELECT json_agg(x) INTO found_uses FROM (
    SELECT b.id, b.package_grant_id AS grant_id, b.package_sessions FROM bookings b
     WHERE b.tenant_id = tenant AND b.id = ANY (chosen) AND b.package_grant_id IS NOT NULL) x;
  IF cardinality(chosen) > 0 THEN
    SELECT json_agg(x) INTO found_payments FROM (
      SELECT DISTINCT ON (p.booking_id)
             p.id, p.booking_id, p.group_id, p.number, p.mode, p.state, p.amount_cents, p.fee_cents, p.fee_bps,
             p.fee_minimum_cents, p.refunded_cents, p.fee_returned_cents, p.disputed_cents, p.disputed_fee_cents,
             p.disputed AS is_disputed,
             p.delivered_at IS NOT NULL AS is_delivered
        FROM payments p
       WHERE p.tenant_id = tenant AND p.booking_id = ANY (chosen) AND p.purpose = 'session'
       ORDER BY p.booking_id, p.number DESC) x;
  END IF;
  IF person IS NOT NULL OR cardinality(ids) > 0 OR found_uses IS NOT NULL THEN
    SELECT json_agg(x) INTO found_grants FROM (
      SELECT g.id, g.service_id, g.person_id, g.name, g.granted, g.left_over, g.taken_back, g.expires_at,
             g.is_customer, g.settled, row_to_json(p) AS payment
        FROM package_grants g
        LEFT JOIN LATERAL (
          SELECT p.id, p.booking_id, p.group_id, p.number, p.state, p.amount_cents, p.fee_cents, p.fee_bps,
                 p.fee_minimum_cents, p.refunded_cents, p.disputed_cents, p.disputed AS is_disputed, p.purpose,
                 p.used_cents, p.delivered_at IS NOT NULL AS is_delivered
            FROM payments p WHERE p.tenant_id = g.tenant_id AND p.id = g.payment_id) p ON true
       WHERE g.tenant_id = tenant
         AND (g.id = ANY (ids) OR g.person_id = person AND g.left_over > 0
              OR g.id IN (SELECT b.package_grant_id FROM bookings b
                           WHERE b.tenant_id = tenant AND b.id = ANY (chosen)))
       ORDER BY g.expires_at, g.id) x;
  END IF;
  RETURN json_build_object(
    'now', moment, 'user_id', person, 'is_acting', app.acting_tenant_id() = tenant, 'calendar', calendar,
    'bookings', found_bookings, 'sessions', found_sessions, 'busy', found_busy, 'services', found_services,
    'waiver', found_waiver, 'usage', usage, 'grants', found_grants, 'uses', found_uses,
    'payments', found_payments);
END $$;
REVOKE ALL ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) TO porchlight_app, porchlight_overseer;

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

-- file: functions/job_contacts.sql
-- Return the people whom the running job emails or names, while their accounts are active: those of the row that its
-- arguments name, which must be of the job's tenant or user. `part` says what they are to the row, and `details` what the
-- job may know of the row. `name` is the name in an email to them, `shown_name` the one that others see. The address of a
-- swap ring's member is empty until it is verified.
--
-- Called by: leads, angels, matches, bookings and busy sources, in the jobs named here. Any other job gets an error.
-- SECURITY DEFINER: accounts and rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_contacts()
RETURNS TABLE (part text, user_id uuid, email text, email_verified boolean, name text, shown_name text, details jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  job record := app.running_task();
  tenant uuid := (job.args ->> 'tenant_id')::uuid;
  author uuid := (job.args ->> 'user_id')::uuid;
BEGIN
  IF job.task NOT IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply', 'angels:notify_owner',
                      'angels:notify_result', 'matches:notify_members', 'bookings:send_emails',
                      'bookings:send_changes', 'bookings:send_agenda', 'bookings:send_waitlist_canceled',
                      'bookings:send_package_email', 'bookings:send_refund_emails', 'bookings:send_dispute_email',
                      'bookings:send_tip_email', 'bookings:send_package_sold_email', 'busy_sources:read') THEN
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no contacts', job.task);
  END IF;
  RETURN QUERY
  SELECT c.part, u.user_id, CASE WHEN u.email_verified OR c.part <> 'member' THEN u.email ELSE '' END, u.email_verified, p.display_name,
         (SELECT s.shown_name FROM shown_people s WHERE s.user_id = u.user_id), c.details
    FROM (
      -- The owner of the job's guru.
      SELECT 'owner' AS part, m.user_id, '{}'::jsonb AS details, 0 AS place, NULL::uuid AS row_id
        FROM memberships m
       WHERE m.tenant_id = tenant AND job.task IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply',
                                                   'bookings:send_emails', 'bookings:send_changes',
                                                   'bookings:send_agenda', 'bookings:send_refund_emails',
                                                   'bookings:send_dispute_email', 'bookings:send_tip_email',
                                                   'bookings:send_package_sold_email', 'busy_sources:read')
       UNION ALL
      -- The person of the job's booking; or of several ones with the guru, if the job writes to that person.
      SELECT 'person', b.person_id, '{}', 1, b.id FROM bookings b
       WHERE b.tenant_id = tenant AND b.id = (job.args ->> 'booking_id')::uuid AND job.task = 'bookings:send_emails'
       UNION ALL
      (SELECT 'person', b.person_id, '{}', 1, b.person_id FROM bookings b
        WHERE b.tenant_id = tenant AND b.person_id = nullif(job.args ->> 'person_id', '')::uuid
          AND job.task = 'bookings:send_changes' AND job.args ->> 'side' = 'person' LIMIT 1)
       UNION ALL
      -- The person of the job's place on a waitlist.
      SELECT 'person', w.person_id, '{}', 1, w.person_id FROM waitlist w
       WHERE w.tenant_id = tenant AND w.appointment_id = (job.args ->> 'appointment_id')::uuid
         AND w.number = (job.args ->> 'number')::integer AND job.task = 'bookings:send_waitlist_canceled'
       UNION ALL
      -- The person who has the job's package.
      SELECT 'person', p.person_id, '{}', 1, p.id FROM package_grants p
       WHERE p.tenant_id = tenant AND p.id = (job.args ->> 'grant_id')::uuid AND job.task = 'bookings:send_package_email'
       UNION ALL
      -- The person to whom the job's refund goes.
      SELECT 'person', r.person_id, '{}', 1, r.id FROM refunds r
       WHERE r.tenant_id = tenant AND r.id = (job.args ->> 'refund_id')::uuid
         AND job.task = 'bookings:send_refund_emails'
       UNION ALL
      -- Who made the job's offer, and who needs help, while the offer can be accepted.
      SELECT a.part, a.user_id, jsonb_build_object('title', n.title), 0, o.id
        FROM need_offers o JOIN needs n ON n.id = o.need_id
       CROSS JOIN LATERAL (VALUES ('angel', o.user_id), ('owner', n.user_id)) a (part, user_id)
       WHERE o.user_id = author AND o.id = (job.args ->> 'offer_id')::uuid AND job.task = 'angels:notify_owner'
         AND o.status = 'open' AND n.status = 'open'
       UNION ALL
      -- Who made an open offer on the job's need.
      SELECT 'angel', o.user_id, jsonb_build_object('offer_id', o.id, 'price_cents', o.price_cents), 0, o.id
        FROM needs n JOIN need_offers o ON o.need_id = n.id
       WHERE n.user_id = author AND n.id = (job.args ->> 'need_id')::uuid AND job.task = 'angels:notify_result'
         AND o.status = 'open'
       UNION ALL
      -- The members of the job's swap ring, in their order.
      SELECT 'member', m.user_id, jsonb_build_object('state', r.state, 'teaches', m.teaches), m.place, r.id
        FROM swap_rings r JOIN swap_ring_members m ON m.ring_id = r.id
       WHERE r.id = (job.args ->> 'ring_id')::uuid AND job.task = 'matches:notify_members'
    ) c JOIN users u ON u.user_id = c.user_id LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.status = 'active'
   ORDER BY c.place, c.row_id;
END $$;
REVOKE ALL ON FUNCTION app.job_contacts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_contacts() TO porchlight_app, porchlight_overseer;

-- file: functions/open_money.sql
-- Return what of the current user's money is open, so that the account cannot be deleted yet, or NULL: `payment` (a charge
-- for a change of the plan or for a session, or a refund), `payout`, `dispute`, `debt`, `balance`, `package` (one that was
-- bought has sessions left). No payout or change of the plan starts
-- before the transaction ends.
--
-- Called by: account, before it is deleted.
-- SECURITY DEFINER: the app role cannot read stripe_outbox and the ledger.
CREATE OR REPLACE FUNCTION app.open_money() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  lowest bigint;
  highest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('payouts', 0));  -- as app.payout_facts
  PERFORM app.lock_billing(app.user_id());
  SELECT min(b.credits - b.debits), max(b.credits - b.debits) INTO lowest, highest
    FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
   WHERE a.user_id = app.user_id() AND a.kind IN ('guru_held', 'guru_payable', 'guru_stripe');
  RETURN CASE
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      OR EXISTS (SELECT FROM plan_invoices i
                  JOIN stripe_outbox o ON o.kind = 'plan_refund' AND o.subject_id = i.id
                 WHERE i.user_id = app.user_id() AND o.state IN ('ready', 'sent', 'unknown'))
      OR EXISTS (SELECT FROM payments p WHERE p.person_id = app.user_id() AND p.state IN ('opening', 'open', 'charging'))
      OR EXISTS (SELECT FROM payments p WHERE p.owner_id = app.user_id() AND p.state IN ('opening', 'open', 'charging'))
      OR EXISTS (SELECT FROM refunds r WHERE r.person_id = app.user_id() AND r.state = 'requested') THEN 'payment'
    WHEN EXISTS (SELECT FROM payouts p WHERE p.user_id = app.user_id()
                    AND p.state IN ('requested', 'sent', 'in_transit')) THEN 'payout'
    WHEN EXISTS (SELECT FROM plan_disputes d WHERE d.user_id = app.user_id()
                    AND d.state IN ('inquiry', 'open', 'under_review'))
      OR EXISTS (SELECT FROM payments p JOIN session_disputes d ON d.group_id = p.group_id
                  WHERE p.person_id = app.user_id() AND d.state IN ('inquiry', 'open', 'under_review'))
      OR EXISTS (SELECT FROM payments p JOIN session_disputes d ON d.group_id = p.group_id
                  WHERE p.owner_id = app.user_id() AND d.state IN ('inquiry', 'open', 'under_review'))
    THEN 'dispute'
    WHEN lowest < 0 THEN 'debt'
    WHEN highest > 0 THEN 'balance'
    WHEN EXISTS (SELECT FROM payments p WHERE (p.person_id = app.user_id() OR p.owner_id = app.user_id())
                    AND p.purpose = 'package' AND p.state = 'paid' AND p.delivered_at IS NULL) THEN 'package' END;
END $$;
REVOKE ALL ON FUNCTION app.open_money() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_money() TO porchlight_app, porchlight_overseer;

-- file: triggers/on_user_deleted_bookings.sql
-- Erase the personal data of a deleted account from its bookings, with the names of the people who came along. Bookings
-- and packages stay, without names and texts, as the gurus' records; what is left of a package ends. What was open has
-- been canceled. What gurus noted about the person, and wrote to a bank, is deleted. The terms of packages that were bought
-- lose their words: those of a buyer, and those of a guru.
--
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  person uuid := NEW.user_id;
  tenant uuid;
BEGIN
  PERFORM set_config('app.user_id', person::text, true);
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR tenant IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = person
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = person
     UNION SELECT p.tenant_id FROM package_grants p WHERE p.person_id = person ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    PERFORM app.lock_calendar();
    DELETE FROM client_notes n USING bookings b
     WHERE n.tenant_id = tenant AND b.tenant_id = tenant AND b.id = n.booking_id AND b.person_id = person;
    UPDATE bookings b
       SET person_name = '', participants = '{}', note = '', answers = '[]', person_address = '', person_zone = '',
           customer_email = '', address_hash = NULL,
           reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
     WHERE b.tenant_id = tenant AND b.person_id = person;
    UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
     WHERE p.tenant_id = tenant AND p.person_id = person;
    UPDATE booking_events e SET details = e.details - 'reason'
     WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
    UPDATE package_grants g SET person_name = '', taken_back = g.taken_back + g.left_over, left_over = 0
     WHERE g.tenant_id = tenant AND g.person_id = person;
    UPDATE package_events e SET details = e.details - 'reason' WHERE e.tenant_id = tenant AND e.person_id = person;
    UPDATE session_disputes d SET words = '', customer_words = '' FROM payments p
     WHERE d.tenant_id = tenant AND p.tenant_id = tenant AND p.group_id = d.group_id AND p.person_id = person;
    DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
  END LOOP;
  FOR tenant IN
    SELECT DISTINCT p.tenant_id FROM payments p
     WHERE (p.person_id = person OR p.owner_id = person) AND p.package IS NOT NULL ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE payments p SET package = p.package || '{"person_name": ""}'
     WHERE p.tenant_id = tenant AND p.person_id = person AND p.package IS NOT NULL;
    UPDATE payments p SET package = p.package || '{"guru_label": "", "guru_name": "", "service_name": "", "name": ""}'
     WHERE p.tenant_id = tenant AND p.owner_id = person AND p.package IS NOT NULL;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true), set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();
