-- Return the terms of a service for payment, moves and cancellations, as a booking copies them: times in minutes before
-- the start, shares of the price in percent.
--
-- Called by: bookings, app.hold_seat.
CREATE OR REPLACE FUNCTION app.booking_terms(s booking_settings) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'policy', s.policy, 'free_until_minutes', s.free_until_minutes, 'late_percent', s.late_percent,
    'missed_percent', s.missed_percent, 'moves_max', s.moves_max, 'move_until_minutes', s.move_until_minutes,
    'payment', s.payment)
    || CASE s.payment WHEN 'deposit' THEN jsonb_build_object('deposit_percent', s.deposit_percent) ELSE '{}' END
$$;
