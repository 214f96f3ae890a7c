-- sign in codes

-- file: functions/add_sign_in_code.sql
-- Store a sign-in code and start the job that emails it, within the shares of the sender's address and network and of the
-- email address. `period`: the time of the sender's shares; `hour` and `day`: those of the
-- address. Shares that are NULL are unlimited.
-- Outcomes: created; limited (the sender); exhausted (the email address).
--
-- Called by: auth, before anyone is signed in.
-- SECURITY DEFINER: the app role may add to sign_in_codes through this function and read nothing.
CREATE OR REPLACE FUNCTION app.add_sign_in_code(
  new_id uuid, address text, code bytea, from_address bytea, from_network bytea, max_per_address integer,
  max_per_network integer, max_in_total integer, period interval, hour interval, max_per_hour integer, day interval,
  max_per_day integer
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  outcome text;
  in_hour bigint;
  in_day bigint;
BEGIN
  IF EXISTS (SELECT FROM sign_in_codes c WHERE c.id = new_id) THEN
    RETURN 'created';
  END IF;
  -- Requests for one address take turns, so that each counts the other's code.
  PERFORM pg_advisory_xact_lock(hashtextextended('sign_in_codes ' || address, 0));
  outcome := app.flood_limit('sign_in_codes', NULL, from_address, from_network, app.now() - period, true,
                             max_per_address, max_per_network, max_in_total, max_in_total);
  IF outcome <> 'open' THEN
    RETURN outcome;
  END IF;
  SELECT count(*) FILTER (WHERE c.created_at > app.now() - hour), count(*) INTO in_hour, in_day
    FROM sign_in_codes c WHERE c.email = address AND c.created_at > app.now() - day;
  IF in_hour >= max_per_hour OR in_day >= max_per_day THEN
    RETURN 'exhausted';
  END IF;
  INSERT INTO sign_in_codes (id, email, code_hash, address_hash, network_hash)
  VALUES (new_id, address, code, from_address, from_network);
  PERFORM app.enqueue('auth:send_code', jsonb_build_object('code_id', new_id), NULL);
  RETURN 'created';
END $$;
REVOKE ALL ON FUNCTION app.add_sign_in_code(uuid, text, bytea, bytea, bytea, integer, integer, integer, interval, interval,
    integer, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_sign_in_code(uuid, text, bytea, bytea, bytea, integer, integer, integer, interval,
    interval, integer, interval, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/use_sign_in_code.sql
-- Count an attempt at a sign-in code, and use it up if it is right. No row for a code that is unknown, older than `ttl`,
-- guessed `most` times, or used longer ago than `repeat`.
--
-- Called by: auth, before anyone is signed in.
-- SECURITY DEFINER: the app role may not read sign_in_codes. Who knows the id of a code has asked for it.
CREATE OR REPLACE FUNCTION app.use_sign_in_code(code_id uuid, code bytea, ttl interval, repeat interval, most integer)
RETURNS TABLE (email text, is_right boolean, attempts integer)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE sign_in_codes c
     SET attempts = c.attempts + (c.code_hash <> code)::integer,
         used_at = coalesce(c.used_at, CASE WHEN c.code_hash = code THEN app.now() END)
   WHERE c.id = code_id AND c.created_at > app.now() - ttl AND c.attempts < most
     AND (c.used_at IS NULL OR c.used_at > app.now() - repeat)
  RETURNING c.email, c.code_hash = code, c.attempts::integer
$$;
REVOKE ALL ON FUNCTION app.use_sign_in_code(uuid, bytea, interval, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.use_sign_in_code(uuid, bytea, interval, interval, integer)
  TO porchlight_app, porchlight_overseer;
