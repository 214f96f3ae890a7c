-- Return the times that the current user has agreed on and that touch the given range: sessions they booked, and
-- exchanges in which they teach or learn. `except_for`: an exchange that is left out.
--
-- Called by: exchanges, to warn someone of two sessions at once.
CREATE OR REPLACE FUNCTION app.own_sessions_between(since timestamptz, until timestamptz, except_for uuid)
RETURNS TABLE (starts_at timestamptz, ends_at timestamptz)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT b.starts_at, b.ends_at FROM bookings b
   WHERE b.person_id = app.user_id() AND b.status IN ('requested', 'confirmed') AND b.starts_at < until AND b.ends_at > since
   UNION
  SELECT e.starts_at, e.ends_at FROM exchanges e
   WHERE app.user_id() IN (e.person_a_id, e.person_b_id) AND e.status = 'confirmed' AND e.starts_at < until
     AND e.ends_at > since AND e.id IS DISTINCT FROM except_for
$$;
REVOKE ALL ON FUNCTION app.own_sessions_between(timestamptz, timestamptz, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_sessions_between(timestamptz, timestamptz, uuid) TO porchlight_app, porchlight_overseer;
