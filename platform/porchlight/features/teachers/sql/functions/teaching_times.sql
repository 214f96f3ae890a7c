-- Return the first of these gurus, in their order, who take bookings: each with one service that can be booked (the one
-- that is wanted, or the guru's main one), its rules, and the hours, live appointments and busy times from the day before `now_at` to
-- the day after the last of the days. A guru whose flag "booking" is off is left out. The columns from `version` on have
-- the form of those in sites.hours.queries.
--
-- Called by: sites.hours.first_starts, for teachers.
-- Each guru is read in its own tenant's isolation, with the rights of the caller. The setting is the caller's again at
-- the end; the outer statement must not read tables of tenants itself.
CREATE OR REPLACE FUNCTION app.teaching_times(guru_ids uuid[], wanted_service uuid, now_at timestamptz,
                                              max_days integer, max_results integer)
RETURNS TABLE (guru_id uuid, name text, price_cents bigint, currency text, version bigint, rules_version bigint,
               zone text, step_minutes smallint, notice_minutes integer, horizon_days smallint, day_max smallint,
               paused_until timestamptz, service_id uuid, duration_minutes integer, setup_minutes smallint,
               cleanup_minutes smallint, capacity smallint, starts text, party_max smallint, approval text, place text,
               free_until_minutes integer, late_percent smallint, weekly json, dates json, appointments json,
               busy json)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  before text := coalesce(current_setting('app.tenant_id', true), '');
  tenant uuid;
  found_gurus integer := 0;
BEGIN
  FOREACH tenant IN ARRAY guru_ids LOOP
    EXIT WHEN found_gurus >= max_results;
    PERFORM set_config('app.tenant_id', tenant::text, true);
    RETURN QUERY
      SELECT c.tenant_id, s.name, s.price_cents, s.currency, c.version, c.rules_version, c.zone, c.step_minutes,
             c.notice_minutes, c.horizon_days, c.day_max, c.paused_until, s.id, s.duration_minutes, b.setup_minutes,
             b.cleanup_minutes, b.capacity, b.starts, b.party_max, b.approval, b.place, b.free_until_minutes,
             b.late_percent,
             (SELECT coalesce(json_agg(json_build_array(h.weekday, lower(h.during), upper(h.during))), '[]')
                FROM weekly_hours h WHERE h.tenant_id = tenant),
             (SELECT coalesce(json_agg(json_build_array(d.day, lower(d.during), upper(d.during))), '[]')
                FROM date_hours d WHERE d.tenant_id = tenant AND d.day BETWEEN day.first AND day.last),
             (SELECT coalesce(json_agg(json_build_array(a.service_id, extract(epoch FROM a.starts_at),
                       extract(epoch FROM a.ends_at), extract(epoch FROM lower(a.blocked)),
                       extract(epoch FROM upper(a.blocked)), a.capacity,
                       CASE WHEN a.waiting > 0 THEN a.capacity ELSE a.taken END, a.fixed)), '[]')
                FROM appointments a WHERE a.tenant_id = tenant AND a.live
                 AND a.blocked && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                            (day.last + 1)::timestamp AT TIME ZONE 'UTC')),
             (SELECT coalesce(json_agg(json_build_array(extract(epoch FROM lower(r)), extract(epoch FROM upper(r)))), '[]')
                FROM (SELECT unnest(range_agg(t.during)) AS r FROM busy_times t
                       WHERE t.tenant_id = tenant
                         AND t.during && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                                   (day.last + 1)::timestamp AT TIME ZONE 'UTC')) x)
        FROM calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
        JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
       CROSS JOIN LATERAL (SELECT (now_at AT TIME ZONE 'UTC')::date AS today) utc
       -- The zone's own day may be the one before or after.
       CROSS JOIN LATERAL (SELECT utc.today - 1 AS earliest, utc.today + 1 AS latest) own
       CROSS JOIN LATERAL (SELECT own.earliest - 1 AS first,
                                  own.latest + least(c.horizon_days + 1, max_days) AS last) day
       WHERE c.tenant_id = tenant AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL
         AND s.id = coalesce(wanted_service, s.id)
         AND coalesce((SELECT bool_or(k.listed) FROM guru_categories k WHERE k.tenant_id = tenant), true)
         AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'), true)
       ORDER BY s.popular DESC, s.position, s.id LIMIT 1;
    IF FOUND THEN
      found_gurus := found_gurus + 1;
    END IF;
  END LOOP;
  PERFORM set_config('app.tenant_id', before, true);
END $$;
REVOKE ALL ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer)
  TO porchlight_app, porchlight_overseer;
