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
