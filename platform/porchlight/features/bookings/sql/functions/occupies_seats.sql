-- Return whether a booking with this status occupies its seats.
--
-- Called by: the trigger that counts the occupied seats of an appointment.
CREATE OR REPLACE FUNCTION app.occupies_seats(status text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN status IN ('held', 'requested', 'confirmed', 'completed', 'missed');
