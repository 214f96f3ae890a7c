-- Return the confirmed booking of the transaction's tenant whose invitation has this event id and went to this address, and
-- which side of it the address is of: the person's, whose event is the booking, or that of the guru's owner, whose event
-- is the booking or the session of a class.
--
-- Called by: bookings, for the answer of a calendar program, which arrives by email.
-- SECURITY DEFINER: no one is signed in. The id is in the invitation only, and the address is compared.
CREATE OR REPLACE FUNCTION app.find_invited(event_id uuid, address text)
RETURNS TABLE (booking_id uuid, person_id uuid, side text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.id, b.person_id, 'person' FROM bookings b
    LEFT JOIN users u ON u.user_id = b.person_id AND u.status = 'active'
   WHERE b.tenant_id = app.tenant_id() AND b.id = event_id AND b.status = 'confirmed' AND lower(coalesce(u.email, b.customer_email)) = address
   UNION ALL
  SELECT b.id, b.person_id, 'guru' FROM bookings b
    JOIN memberships m ON m.tenant_id = b.tenant_id
    JOIN users u ON u.user_id = m.user_id AND u.status = 'active'
   WHERE b.tenant_id = app.tenant_id() AND event_id IN (b.id, b.appointment_id) AND b.status = 'confirmed'
     AND lower(u.email) = address
   LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.find_invited(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_invited(uuid, text) TO porchlight_app;
