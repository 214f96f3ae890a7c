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
