-- Return the lowest balance of hours that a person may have, in minutes: the kind's own, and 10 hours below zero once they
-- have given a session that was settled, and have a verified email address.
--
-- Called by: app.exchange_hours, app.enter_exchange and app.own_hours.
CREATE OR REPLACE FUNCTION app.hours_floor(person uuid) RETURNS bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.email_verified)
               AND EXISTS (SELECT FROM exchanges e
                            WHERE person IN (e.person_a_id, e.person_b_id) AND e.teacher_id = person
                              AND e.record_state = 'settled' AND e.recorded_minutes > 0)
              THEN -600 ELSE (SELECT k.floor FROM ledger_kinds k WHERE k.kind = 'hours') END
$$;
REVOKE ALL ON FUNCTION app.hours_floor(uuid) FROM PUBLIC;
