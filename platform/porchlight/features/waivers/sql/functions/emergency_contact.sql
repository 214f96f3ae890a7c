-- Return the emergency contact of a session's person for the guru, and log the view in contact_views. The outcome is
-- found, none (the waiver has no contact, or it was erased), closed (not from 24 hours before the session to 24 hours
-- after it) or unknown. The function restores the user that was set before.
--
-- Called by: the release before app.emergency_contacts, while it still runs beside this one. The next release drops it.
-- SECURITY DEFINER: waivers are isolated by user. The tenant is the one that the transaction acts for.
CREATE OR REPLACE FUNCTION app.emergency_contact(wanted uuid, OUT outcome text, OUT contact jsonb)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  viewer uuid := app.user_id();
  booked bookings;
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.acting_tenant_id() AND b.id = wanted AND b.status NOT IN ('held', 'expired');
  IF booked.id IS NULL OR viewer IS NULL THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  IF booked.status NOT IN ('confirmed', 'missed', 'completed')
     OR app.now() NOT BETWEEN booked.starts_at - interval '24 hours' AND booked.ends_at + interval '24 hours' THEN
    outcome := 'closed';
    RETURN;
  END IF;
  PERFORM set_config('app.user_id', booked.person_id::text, true);
  contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
               WHERE w.user_id = booked.person_id AND w.id = booked.waiver_id);
  PERFORM set_config('app.user_id', viewer::text, true);
  outcome := CASE WHEN contact IS NULL THEN 'none' ELSE 'found' END;
  IF contact IS NOT NULL THEN
    INSERT INTO contact_views (tenant_id, id, booking_id, person_id, viewed_by)
    VALUES (booked.tenant_id, gen_random_uuid(), booked.id, booked.person_id, viewer);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.emergency_contact(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.emergency_contact(uuid) TO porchlight_app;
