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
