-- decide bookings in python

-- file: functions/apply_bookings.sql
-- Write a change of bookings that was decided on app.booking_facts, all or nothing, in the same transaction: sessions,
-- bookings with their history and their emails, and the waitlist. Return the booking `changes.returned`, if it is named.
-- The form of `changes` is that of `porchlight.features.bookings.changes`.
--
-- The function decides nothing, and refuses what no decision may do: to change a booking of which the caller is no
-- party and that is not due to end, to act for the other side, to offer a seat to someone who does not wait for it, and
-- to send an email without a change. A new hold has the name, price, place and terms of its service, or of the hold
-- `like` of the same person.
--
-- Called by: bookings. The transaction holds the lock of the calendar.
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
BEGIN
  IF changes ? 'ended' THEN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id IN (SELECT x::uuid FROM jsonb_array_elements_text(changes -> 'ended') x);
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
                            approval, place, place_text, terms, terms_digest, expires_at, customer_token)
      SELECT tenant, wanted.id, a.id, a.service_id, wanted.person_id, wanted.hold_hash, wanted.address_hash, 'held',
             wanted.party, g.label, g.character, coalesce(l.service_name, s.name), a.starts_at, a.ends_at, c.zone,
             coalesce(l.price_cents, s.price_cents * wanted.party), coalesce(l.currency, s.currency),
             coalesce(l.approval, CASE WHEN wanted.customer_token IS NOT NULL THEN 'instant' END, t.approval),
             coalesce(l.place, a.place, t.place),
             coalesce(l.place_text, a.place_text, t.place_text), coalesce(l.terms, app.booking_terms(t)),
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
    -- In parentheses, because PL/pgSQL reads a condition up to the first THEN.
    IF (one ? 'event' AND CASE one ->> 'actor'
                            WHEN 'guru' THEN is_guru OR is_service
                            WHEN 'staff' THEN is_service
                            WHEN 'person' THEN wanted.person_id IS NULL OR wanted.person_id = person
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
       AND (x.status <> 'left' OR w.person_id = person);
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

-- file: functions/booking_facts.sql
-- Lock the calendar of the transaction's tenant, and return the facts on which a change of bookings is decided, all at
-- one moment (`porchlight.features.bookings.facts`). Times are ISO 8601; ids and names of people are not decided on, so
-- no name, note or address is among the facts.
--
-- The bookings: those of `ids`; the hold with the token digest `token`; the user's booking under the idempotency key
-- `key`, or that of the customer's link `customer`; with `series`, the others of the same person's series; the open ones
-- of the session `appointment` and, with `all_open`, all that the user has; those held at `address` on `day`; and those
-- whose time has passed, because they end first. The sessions: those of the bookings and of `appointment`, those with
-- seats to offer, and those within `spans`. If they are `counted`, also the holds of the user and of visitors: those of
-- now, of the time `recent`, and of `day` and the network address.
--
-- With `unless_taken`, which is the start that a hold wants, the calendar is not locked if the start is not offered or
-- other people have its seats: many who want a start that is gone do not wait for each other. Nothing can be changed on
-- such facts.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed, nor of those who wait. The tenant and
-- the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.booking_facts(
  ids uuid[] DEFAULT '{}', token bytea DEFAULT NULL, key text DEFAULT NULL, series boolean DEFAULT false,
  appointment uuid DEFAULT NULL, all_open boolean DEFAULT false, service uuid DEFAULT NULL,
  spans tstzmultirange DEFAULT '{}', customer uuid DEFAULT NULL, counted boolean DEFAULT false,
  address bytea DEFAULT NULL, recent interval DEFAULT NULL, day tstzrange DEFAULT NULL,
  unless_taken timestamptz DEFAULT NULL, is_offered boolean DEFAULT true,
  seats integer DEFAULT 1, waiver uuid DEFAULT NULL)
RETURNS json LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  moment timestamptz := app.now();
  is_locked boolean := true;
  found json;
  usage json;
BEGIN
  IF unless_taken IS NOT NULL
     AND NOT EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.expires_at <= moment)
     AND NOT EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.hold_hash = token) THEN
    is_locked := is_offered AND NOT EXISTS (
      SELECT FROM appointments a WHERE a.tenant_id = tenant AND a.live AND a.blocked @> unless_taken
         AND (a.service_id IS DISTINCT FROM service OR a.starts_at <> unless_taken OR a.taken + seats > a.capacity
              OR a.waiting > 0));
  END IF;
  IF is_locked THEN
    PERFORM app.lock_calendar();
  END IF;
  WITH named AS (
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE b.tenant_id = tenant AND b.id = ANY (ids)
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE token IS NOT NULL AND b.tenant_id = tenant AND b.hold_hash = token
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE key IS NOT NULL AND b.tenant_id = tenant AND b.person_id = person AND b.idempotency_key = key
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE customer IS NOT NULL AND b.tenant_id = tenant AND b.customer_token = customer
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE appointment IS NOT NULL AND b.tenant_id = tenant AND b.appointment_id = appointment
       AND b.status IN ('held', 'requested', 'confirmed')
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE all_open AND b.tenant_id = tenant AND b.person_id = person AND b.status IN ('held', 'requested', 'confirmed')
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE day IS NOT NULL AND b.tenant_id = tenant AND b.address_hash = booking_facts.address AND b.status = 'held'
       AND b.starts_at <@ day
    UNION ALL
    SELECT b.id, b.appointment_id, b.series_id, b.person_id FROM bookings b
     WHERE b.tenant_id = tenant AND (b.expires_at <= moment OR b.proposed_until <= moment)
  ), chosen AS (
    SELECT n.id, n.appointment_id FROM named n
    UNION
    SELECT b.id, b.appointment_id FROM named n
      JOIN bookings b ON series AND b.tenant_id = tenant AND b.person_id = n.person_id AND b.series_id = n.series_id
       AND b.status IN ('held', 'requested', 'confirmed')
  ), concerned AS (
    SELECT c.appointment_id AS id FROM chosen c
    UNION SELECT appointment WHERE appointment IS NOT NULL
    UNION SELECT a.id FROM appointments a
           WHERE a.tenant_id = tenant AND a.live AND a.waiting > 0 AND a.taken < a.capacity
    UNION SELECT a.id FROM appointments a WHERE a.tenant_id = tenant AND a.live AND a.blocked && spans
  ), sessions AS (
    SELECT a.* FROM appointments a WHERE a.tenant_id = tenant AND a.id IN (SELECT c.id FROM concerned c)
  )
  SELECT json_build_object(
    'now', moment, 'user_id', person, 'is_acting', app.acting_tenant_id() = tenant, 'is_locked', is_locked,
    'calendar', (
      SELECT row_to_json(x) FROM (
        SELECT c.rules_version, c.zone, c.notice_minutes, c.day_max, g.status = 'active' AS is_active,
               coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'),
                        (SELECT f.enabled FROM flag_settings f WHERE f.name = 'booking'), true) AS takes_bookings
          FROM calendars c JOIN gurus g ON g.id = c.tenant_id WHERE c.tenant_id = tenant) x),
    'bookings', (
      SELECT json_agg(x) FROM (
        SELECT b.id, b.appointment_id, b.service_id, b.person_id, b.status, b.party, b.starts_at, b.ends_at, b.zone,
               b.price_cents, b.approval, b.place, b.place_text, b.person_address, b.terms,
               encode(b.terms_digest, 'hex') AS terms_digest, b.waiver_level, b.sequence, b.moves, b.late_since,
               b.series_id, b.proposed_start, b.proposed_until, b.proposals, b.expires_at, b.ended_by,
               b.customer_token IS NOT NULL AS is_customer, b.address_hash IS NULL AS is_offer,
               b.hold_hash = token AS is_token,
               b.idempotency_key = key AND b.person_id = person OR b.customer_token = customer AS is_key,
               encode(b.digest, 'hex') AS digest
          FROM bookings b WHERE b.tenant_id = tenant AND b.id IN (SELECT c.id FROM chosen c)
         ORDER BY b.starts_at, b.id) x),
    'sessions', (
      SELECT json_agg(x) FROM (
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
          FROM sessions a ORDER BY a.starts_at, a.id) x),
    'services', (
      SELECT json_agg(x) FROM (
        SELECT s.id, s.duration_minutes AS minutes, s.over_limit, t.open, t.approval, t.capacity, t.party_max, t.starts,
               t.place, t.place_text, t.setup_minutes, t.cleanup_minutes
          FROM booking_settings t JOIN services s ON s.tenant_id = t.tenant_id AND s.id = t.service_id
         WHERE t.tenant_id = tenant
           AND (t.service_id = service OR t.service_id IN (SELECT a.service_id FROM sessions a))
       ) x),
    'waiver', (
      SELECT row_to_json(x) FROM (
        SELECT w.id, w.level, w.expires_at FROM waivers w
         WHERE w.user_id = person AND w.id = waiver AND w.ended_at IS NULL) x))
    INTO found;
  IF NOT counted THEN
    RETURN found;
  END IF;
  SELECT json_build_object(
    'is_verified', EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.email_verified),
    'own', (
      SELECT row_to_json(x) FROM (
        SELECT count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment AND b.address_hash IS NOT NULL)
                 AS held,
               count(*) FILTER (WHERE b.status = 'requested' AND b.expires_at > moment) AS requested,
               count(DISTINCT coalesce(b.series_id, b.id)) FILTER (
                 WHERE b.address_hash IS NOT NULL AND b.created_at > moment - recent) AS recent
          FROM bookings b
         WHERE b.person_id = person AND b.tenant_id = tenant
           AND (b.expires_at IS NOT NULL OR b.created_at > moment - recent)) x),
    'of_address', (
      SELECT row_to_json(x) FROM (
        SELECT count(*) AS recent, count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment) AS held
          FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
         WHERE b.tenant_id = tenant AND b.address_hash = booking_facts.address AND b.created_at > moment - recent
           AND u.email_verified IS NOT TRUE) x),
    'of_visitors', (
      SELECT row_to_json(x) FROM (
        SELECT coalesce(json_agg(b.id ORDER BY b.id DESC) FILTER (WHERE b.address_hash = booking_facts.address), '[]')
                 AS at_address,
               count(*) FILTER (WHERE b.address_hash IS DISTINCT FROM booking_facts.address) AS others
          FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
         WHERE b.tenant_id = tenant AND b.status = 'held' AND u.email_verified IS NOT TRUE
           AND b.expires_at > moment AND b.starts_at <@ day) x)) INTO usage;
  RETURN json_build_object('facts', found, 'usage', usage);
END $$;
REVOKE ALL ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, tstzmultirange, uuid, boolean, bytea,
  interval, tstzrange, timestamptz, boolean, integer, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, tstzmultirange, uuid, boolean, bytea,
  interval, tstzrange, timestamptz, boolean, integer, uuid)
    TO porchlight_app, porchlight_overseer;

-- file: functions/erase_bookings.sql
-- Erase the current user's personal data from their bookings with the transaction's guru, with the names of the people
-- who came along. Bookings stay, without names and texts, as the guru's records. What was open has been canceled.
--
-- Called by: the trigger on_user_deleted_bookings, for each guru.
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
CREATE OR REPLACE FUNCTION app.erase_bookings() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
BEGIN
  PERFORM app.lock_calendar();
  UPDATE bookings b
     SET person_name = '', participants = '{}', note = '', person_address = '', person_zone = '', customer_email = '',
         address_hash = NULL, reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
   WHERE b.tenant_id = tenant AND b.person_id = person;
  UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
   WHERE p.tenant_id = tenant AND p.person_id = person;
  UPDATE booking_events e SET details = e.details - 'reason'
   WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
  DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
END $$;
REVOKE ALL ON FUNCTION app.erase_bookings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_bookings() TO porchlight_app, porchlight_overseer;

-- file: triggers/booking_history.sql
-- Write the first entry of each booking's history. The others are written with the change that they are about
-- (app.apply_bookings). The function restores the tenant that was set before.
--
-- Fires on: bookings.
-- SECURITY DEFINER: the app role may only read the table.
CREATE OR REPLACE FUNCTION app.add_booking_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', NEW.tenant_id::text, true);
  INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event)
  VALUES (NEW.tenant_id, NEW.id, 1, NEW.person_id,
          CASE WHEN app.acting_tenant_id() = NEW.tenant_id THEN 'guru' ELSE 'person' END, NEW.status);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER add_booking_event_insert AFTER INSERT ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.add_booking_event();

-- file: triggers/waiting_people.sql
-- Keep the number of those who wait for each session. Other visitors see such a session as full.
--
-- Fires on: waitlist. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_waiting() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting - 1 WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'waiting' THEN
    UPDATE appointments a SET waiting = a.waiting + 1 WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_waiting AFTER INSERT OR DELETE OR UPDATE OF status ON waitlist
    FOR EACH ROW EXECUTE FUNCTION app.count_waiting();

-- file: triggers/booking_seats.sql
-- Keep the number of occupied seats of each appointment equal to the parties of its bookings. The constraint on the
-- number rejects one seat too many. A session without bookings ends, and its time is free again, unless its start is
-- fixed.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_seats() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND app.occupies_seats(OLD.status) THEN
    UPDATE appointments a SET taken = a.taken - OLD.party,
                              live = a.live AND (a.fixed OR a.taken > OLD.party OR a.kind = 'block')
     WHERE a.tenant_id = OLD.tenant_id AND a.id = OLD.appointment_id;
  END IF;
  IF TG_OP <> 'DELETE' AND app.occupies_seats(NEW.status) THEN
    UPDATE appointments a SET taken = a.taken + NEW.party, live = true
     WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.appointment_id;
    IF NOT FOUND THEN
      RAISE foreign_key_violation USING MESSAGE = 'the appointment of the booking is missing';
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_seats AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_update AFTER UPDATE OF status, party, appointment_id ON bookings
    FOR EACH ROW WHEN ((app.occupies_seats(OLD.status), OLD.party, OLD.appointment_id)
                       IS DISTINCT FROM (app.occupies_seats(NEW.status), NEW.party, NEW.appointment_id))
    EXECUTE FUNCTION app.count_seats();

-- file: triggers/counters.sql
-- Keep the counters of the admin overview: users, gurus, reports, listings, sessions. Deleted accounts do not count as
-- users, and bookings that were not confirmed or were canceled do not count as sessions.
-- Counting 50,000 rows for each page view costs more. Statement triggers, so that a bulk load counts once.
-- SECURITY DEFINER: app.counter_add is revoked from every role.
--
-- Fires on: users, gurus, reports, skill_offers, bookings. The argument is the counter's name.
CREATE OR REPLACE FUNCTION app.counter_on_insert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.counter_add(TG_ARGV[0], (SELECT count(*) FROM new_rows));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_insert() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON gurus
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('gurus');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON reports
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('reports');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON skill_offers
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_insert('listings');

CREATE OR REPLACE FUNCTION app.counter_on_delete() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.counter_add(TG_ARGV[0], -(SELECT count(*) FROM old_rows));
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_delete() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON gurus
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('gurus');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON reports
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('reports');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON skill_offers
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_delete('listings');

CREATE OR REPLACE FUNCTION app.counter_on_user_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM app.counter_add('users', (SELECT count(*) FROM new_rows WHERE status <> 'erased'));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM app.counter_add('users', -(SELECT count(*) FROM old_rows WHERE status <> 'erased'));
  ELSE
    PERFORM app.counter_add('users', CASE WHEN NEW.status = 'erased' THEN -1 ELSE 1 END);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_user_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_user_change();
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.counter_on_user_change();
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased'))
    EXECUTE FUNCTION app.counter_on_user_change();

CREATE OR REPLACE FUNCTION app.counter_on_booking_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  counted text[] := ARRAY['confirmed', 'missed', 'completed'];
  added integer := (TG_OP <> 'DELETE' AND NEW.status = ANY (counted))::integer
                   - (TG_OP <> 'INSERT' AND OLD.status = ANY (counted))::integer;
BEGIN
  IF added <> 0 THEN  -- a new booking is only held
    PERFORM app.counter_add('sessions', added);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.counter_on_booking_change() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.counter_on_booking_change();
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'missed', 'completed'))
                       <> (NEW.status IN ('confirmed', 'missed', 'completed')))
    EXECUTE FUNCTION app.counter_on_booking_change();
