-- Book holds of the current user, or ask the guru for their times if they decide, and return the bookings that could be
-- confirmed. Several are a series, which has the id of its first booking; that one gets the idempotency key. The emails
-- are queued with them. The calendar is locked.
--
-- Called by: bookings and app.book_hold.
CREATE OR REPLACE FUNCTION app.confirm_holds(
  ids uuid[], accepted_waiver uuid, name text, other_names text[], message text, key text, request_digest bytea)
RETURNS SETOF bookings
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  UPDATE bookings b
     SET status = CASE b.approval WHEN 'request' THEN 'requested' ELSE 'confirmed' END,
         -- A guru has a day to answer a request, but not until later than two hours before the start. For a start that
         -- is near, they have an hour, until 15 minutes before it: no request is made 45 minutes before its start.
         expires_at = CASE b.approval WHEN 'request' THEN
           least(app.now() + interval '24 hours',
                 greatest(b.starts_at - interval '2 hours',
                          least(app.now() + interval '1 hour', b.starts_at - interval '15 minutes'))) END,
         confirmed_at = CASE b.approval WHEN 'request' THEN NULL ELSE app.now() END,
         waiver_level = coalesce(w.level, ''), waiver_id = w.id, waiver_until = w.expires_at,
         person_name = confirm_holds.name, participants = other_names, note = message,
         series_id = CASE WHEN cardinality(ids) > 1 THEN ids[1] END,
         idempotency_key = CASE WHEN b.id = ids[1] THEN confirm_holds.key ELSE b.id::text END, digest = request_digest
    FROM (VALUES (accepted_waiver)) accepted (id)
    LEFT JOIN waivers w ON w.id = accepted.id AND w.user_id = app.user_id()
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.status = 'held' AND b.expires_at > app.now()
  RETURNING b.*
$$;
