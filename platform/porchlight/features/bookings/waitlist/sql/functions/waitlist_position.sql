-- Return the current user's position among those who wait for a session, 1 for the first; null if they do not wait.
--
-- Called by: bookings.
-- SECURITY DEFINER: those who wait are other users. Only their number is returned.
CREATE OR REPLACE FUNCTION app.waitlist_position(waited_tenant uuid, waited_appointment uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT (SELECT count(*) FROM waitlist w
           WHERE w.tenant_id = own.tenant_id AND w.appointment_id = own.appointment_id AND w.status = 'waiting'
             AND w.number <= own.number)::integer
    FROM waitlist own
   WHERE own.tenant_id = waited_tenant AND own.appointment_id = waited_appointment AND own.person_id = app.user_id()
     AND own.status = 'waiting'
$$;
REVOKE ALL ON FUNCTION app.waitlist_position(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waitlist_position(uuid, uuid) TO porchlight_app;
