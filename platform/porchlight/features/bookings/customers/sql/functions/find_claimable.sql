-- Return the booking of a customer's link (`is_named`), and those with the same guru that pass to the current user with
-- it: all for the same customer, and, if the guru entered the user's verified address, all with that address (`matches`).
-- `person_id` is the id that takes the place of the customer's account, or the account that has claimed the booking. No
-- row for an unknown link.
--
-- Called by: bookings, for someone who opens a customer's link.
-- SECURITY DEFINER: a customer is no user, and a user is no party of the bookings yet. The token is the permission; the
-- tenant comes from it.
CREATE OR REPLACE FUNCTION app.find_claimable(link_token uuid, max_rows integer)
RETURNS TABLE (booking_id uuid, person_id uuid, is_named boolean, is_claimed boolean, matches boolean, service_name text,
               starts_at timestamptz, ends_at timestamptz, zone text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.person_id, o.id = b.id, o.customer_token IS NULL,
         coalesce(lower(b.customer_email) = u.address, false), o.service_name, o.starts_at, o.ends_at, o.zone, o.status
    FROM bookings b
    LEFT JOIN (SELECT lower(a.email) AS address FROM users a
                WHERE a.user_id = app.user_id() AND a.email_verified) u ON true
    JOIN bookings o ON o.tenant_id = b.tenant_id
     AND (o.id = b.id
          OR b.customer_token IS NOT NULL AND o.customer_token IS NOT NULL
             AND (o.person_id = b.person_id
                  OR lower(b.customer_email) = u.address AND lower(o.customer_email) = u.address))
   WHERE b.tenant_id = app.tenant_id() AND (b.customer_token = link_token OR b.claimed_token = link_token)
   ORDER BY o.id = b.id DESC, o.starts_at DESC, o.id LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.find_claimable(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_claimable(uuid, integer) TO porchlight_app;
