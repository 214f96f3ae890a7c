-- Return whether a booking with this status occupies its spots.
--
-- Called by: the trigger that counts the occupied spots of an appointment.
CREATE OR REPLACE FUNCTION app.occupies_spots(status text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN status IN ('held', 'requested', 'confirmed', 'completed', 'missed');
