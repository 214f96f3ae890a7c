-- Move several bookings of the current user, or of the guru who acts, all or none, and return the outcome of each, in
-- the order of `ids`: see app.move_booking. The caller orders them so that each move frees the time that the next one
-- takes.
--
-- Called by: bookings.
CREATE OR REPLACE FUNCTION app.move_bookings(
  ids uuid[], new_appointment_ids uuid[], starts timestamptz[], expected_rules bigint[], is_counted boolean,
  local_starts timestamp[],
  OUT outcomes text[])
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  FOR i IN 1 .. cardinality(ids) LOOP
    outcomes[i] := (SELECT app.move_booking(ids[i], new_appointment_ids[i], starts[i], expected_rules[i], is_counted,
                                            local_starts[i]));
  END LOOP;
  IF 'moved' <> ANY (outcomes) THEN
    RAISE EXCEPTION 'some bookings stay at their times';  -- undo the moves of the others
  END IF;
EXCEPTION WHEN raise_exception THEN
  NULL;
END $$;
