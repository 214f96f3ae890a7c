-- Store a contact message and start its job, within the limits per sender address and in total per hour.
-- Outcomes: created; same (sent before with this key); other (the key was used for another message); limited.
--
-- Called by: contact, in the previous release. This one calls app.add_contact_message; the next one drops this.
-- SECURITY DEFINER: the app role may add to contact_messages through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, key text, new_digest bytea,
  max_per_address integer, max_in_total integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
BEGIN
  SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    IF NOT app.rate_limit('contact_messages', NULL, address_hash, now(), max_per_address, max_in_total) THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO contact_messages (id, name, email, subject, message, address_hash, idempotency_key, digest)
    VALUES (new_id, name, email, subject, message, address_hash, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      PERFORM app.enqueue('contact:notify_staff', jsonb_build_object('message_id', new_id), NULL);
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_contact_message(uuid, text, text, text, text, bytea, text, bytea, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_contact_message(uuid, text, text, text, text, bytea, text, bytea, integer, integer) TO porchlight_app, porchlight_overseer;
