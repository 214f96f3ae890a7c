-- Return whether others may see the place of a porch light: while its owner's profile is public, and shows its location
-- or the place is that of a service on Angel's List, where the owner publishes it.
--
-- Called by: app.porch_lights.
CREATE OR REPLACE FUNCTION app.shows_light_place(l porch_lights) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM profiles p
     WHERE p.user_id = l.user_id AND p.is_public AND p.registered_at IS NOT NULL
       AND (p.shows_location OR EXISTS (
              SELECT FROM angels a WHERE a.user_id = l.user_id AND a.active
                 AND (a.city, a.latitude, a.longitude) = (l.city, l.latitude, l.longitude))))
$$;
REVOKE ALL ON FUNCTION app.shows_light_place(porch_lights) FROM PUBLIC;
