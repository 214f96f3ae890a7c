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
