-- The position of the current user among those who wait for each session, 1 for the first.
--
-- Read by: bookings.
-- As the owner: those who wait are other users. Only their number is shown.
CREATE OR REPLACE VIEW waitlist_positions WITH (security_barrier) AS
  SELECT own.tenant_id, own.appointment_id,
         (SELECT count(*) FROM waitlist w
           WHERE w.tenant_id = own.tenant_id AND w.appointment_id = own.appointment_id AND w.status = 'waiting'
             AND w.number <= own.number)::integer AS position
    FROM waitlist own
   WHERE own.person_id = app.user_id() AND own.status = 'waiting';
GRANT SELECT ON waitlist_positions TO porchlight_app, porchlight_overseer;
