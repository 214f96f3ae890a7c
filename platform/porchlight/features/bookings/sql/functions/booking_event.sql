-- Return what a change of a booking is called in its history: the new status, or what happened to its time. A proposal
-- of the guru that ends without a change of the session expired, was withdrawn by the guru, or lapsed: the person
-- accepted it, but the time was taken.
--
-- Called by: the triggers that write the history of bookings and queue their emails.
CREATE OR REPLACE FUNCTION app.booking_event(before bookings, changed bookings) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp
RETURN CASE
  WHEN changed.status IS DISTINCT FROM before.status THEN changed.status
  WHEN changed.starts_at IS DISTINCT FROM before.starts_at
    -- A move leads to another appointment. The instant of one changes only with the rules of its time zone.
    THEN CASE WHEN changed.appointment_id = before.appointment_id THEN 'clocks_changed' ELSE 'moved' END
  WHEN changed.proposals > before.proposals THEN 'proposed'
  WHEN before.proposed_until <= app.now() THEN 'proposal_expired'
  WHEN app.acting_tenant_id() = changed.tenant_id THEN 'proposal_withdrawn'
  ELSE 'proposal_lapsed' END;
