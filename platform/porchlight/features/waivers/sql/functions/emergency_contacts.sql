-- Return the emergency contacts of a session's participants for the guru, each with the participant's name, and log the
-- view in contact_views. The outcome is found, none (no waiver has a contact, or they were erased), closed (not from 24
-- hours before the session to 24 hours after it) or unknown. The function restores the user that was set before.
--
-- Called by: waivers, in a unit of work that acts for the guru.
-- SECURITY DEFINER: waivers are isolated by user. The tenant is the one that the transaction acts for.
CREATE OR REPLACE FUNCTION app.emergency_contacts(wanted uuid, OUT outcome text, OUT contacts jsonb)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  viewer uuid := app.user_id();
  booked bookings;
  participant record;
  contact jsonb;
  open_for CONSTANT interval := interval '24 hours';  -- no parameter, because it keeps the contact from the guru
BEGIN
  SELECT * INTO booked FROM bookings b
   WHERE b.tenant_id = app.acting_tenant_id() AND b.id = wanted AND b.status NOT IN ('held', 'expired');
  IF booked.id IS NULL OR viewer IS NULL THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  IF booked.status NOT IN ('confirmed', 'missed', 'completed')
     OR app.now() NOT BETWEEN booked.starts_at - open_for AND booked.ends_at + open_for THEN
    outcome := 'closed';
    RETURN;
  END IF;
  contacts := '[]';
  FOR participant IN
    SELECT p.name, p.signer_id, p.waiver_id FROM participants p
     WHERE p.tenant_id = booked.tenant_id AND p.booking_id = booked.id ORDER BY p.number
  LOOP
    PERFORM set_config('app.user_id', participant.signer_id::text, true);
    contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
                 WHERE w.user_id = participant.signer_id AND w.id = participant.waiver_id);
    IF contact IS NOT NULL THEN
      contacts := contacts || jsonb_build_array(contact || jsonb_build_object('participantName', participant.name));
    END IF;
  END LOOP;
  IF contacts = '[]' THEN  -- a booking from before participants had their own waivers
    PERFORM set_config('app.user_id', booked.person_id::text, true);
    contact := (SELECT w.erasable #> '{emergencyContact,value}' FROM waivers w
                 WHERE w.user_id = booked.person_id AND w.id = booked.waiver_id);
    contacts := CASE WHEN contact IS NULL THEN contacts
                  ELSE jsonb_build_array(contact || jsonb_build_object('participantName', booked.person_name)) END;
  END IF;
  PERFORM set_config('app.user_id', viewer::text, true);
  outcome := CASE WHEN contacts = '[]' THEN 'none' ELSE 'found' END;
  IF outcome = 'found' THEN
    INSERT INTO contact_views (tenant_id, id, booking_id, person_id, viewed_by)
    VALUES (booked.tenant_id, gen_random_uuid(), booked.id, booked.person_id, viewer);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.emergency_contacts(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.emergency_contacts(uuid) TO porchlight_app;
