-- Store a contact message and start its job, within the shares of the sender's address and network, and in a flood with a
-- proof of work. `period`: the time of the shares. Outcomes: created; same (sent before with this key); other (the key was used for another message);
-- unproven and limited (see app.flood_limit).
--
-- Called by: contact.
-- SECURITY DEFINER: the app role may add to contact_messages through this function and read nothing.
CREATE OR REPLACE FUNCTION app.add_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, network_hash bytea, key text,
  new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer, flood_from integer,
  max_in_total integer, period interval
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  outcome text;
BEGIN
  SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    outcome := app.flood_limit('contact_messages', NULL, address_hash, network_hash, app.now() - period, is_proven,
                               max_per_address, max_per_network, flood_from, max_in_total);
    IF outcome <> 'open' THEN
      RETURN outcome;
    END IF;
    INSERT INTO contact_messages (id, name, email, subject, message, address_hash, network_hash, idempotency_key, digest)
    VALUES (new_id, name, email, subject, message, address_hash, network_hash, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      PERFORM app.enqueue('contact:notify_staff', jsonb_build_object('message_id', new_id), NULL);
      RETURN 'created';
    END IF;
    SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  END IF;
  RETURN CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer, interval) TO porchlight_app, porchlight_overseer;
