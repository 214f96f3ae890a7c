-- contact floods

-- file: functions/add_contact_message.sql
-- Store a contact message and start its job, within the shares of the sender's address and network, and in a flood with a
-- proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another message);
-- unproven and limited (see app.flood_limit).
--
-- Called by: contact.
-- SECURITY DEFINER: the app role may add to contact_messages through this function and read nothing.
CREATE OR REPLACE FUNCTION app.add_contact_message(
  new_id uuid, name text, email text, subject text, message text, address_hash bytea, network_hash bytea, key text,
  new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer, flood_from integer,
  max_in_total integer
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  outcome text;
BEGIN
  SELECT m.digest INTO earlier_digest FROM contact_messages m WHERE m.idempotency_key = key;
  IF NOT FOUND THEN
    outcome := app.flood_limit('contact_messages', NULL, address_hash, network_hash, now(), is_proven, max_per_address,
                               max_per_network, flood_from, max_in_total);
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
    integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_contact_message(uuid, text, text, text, text, bytea, bytea, text, bytea, boolean, integer,
    integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/contact_digest.sql
-- Return the first messages that wait for a digest, the oldest first.
--
-- Called by: contact, in the job contact:send_digest.
-- SECURITY DEFINER: the app role may add messages and read nothing.
CREATE OR REPLACE FUNCTION app.contact_digest(max_messages integer)
RETURNS TABLE (id uuid, name text, email text, subject text, message text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('contact:send_digest');
  RETURN QUERY SELECT m.id, m.name, m.email, m.subject, m.message FROM contact_messages m
                WHERE m.awaits_digest ORDER BY m.created_at, m.id LIMIT max_messages;
END $$;
REVOKE ALL ON FUNCTION app.contact_digest(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.contact_digest(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/finish_contact_digest.sql
-- Record that the messages of a sent digest no longer wait.
--
-- Called by: contact, in the job contact:send_digest.
-- SECURITY DEFINER: the app role may not change contact_messages.
CREATE OR REPLACE FUNCTION app.finish_contact_digest(sent uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('contact:send_digest');
  UPDATE contact_messages SET awaits_digest = false WHERE id = ANY(sent);
END $$;
REVOKE ALL ON FUNCTION app.finish_contact_digest(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.finish_contact_digest(uuid[]) TO porchlight_app, porchlight_overseer;

-- file: functions/group_contact_message.sql
-- Leave the running job's message to the next digest if its hour had `max_emails` messages before it. Return whether it
-- was. The digest job starts a minute after the hour, and there is one for each hour: a message that is grouped at the end
-- of the hour is in it.
--
-- Called by: contact, in the job contact:notify_staff.
-- SECURITY DEFINER: the app role may add messages and read nothing. The message's id comes from the job.
CREATE OR REPLACE FUNCTION app.group_contact_message(max_emails integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('contact:notify_staff');
  next_hour timestamptz := date_trunc('hour', now()) + interval '1 hour';
BEGIN
  UPDATE contact_messages m SET awaits_digest = true
   WHERE m.id = (args ->> 'message_id')::uuid
     AND (SELECT count(*) FROM (SELECT FROM contact_messages e
                                 WHERE e.created_at BETWEEN date_trunc('hour', m.created_at) AND m.created_at
                                   AND (e.created_at, e.id) < (m.created_at, m.id) LIMIT max_emails) earlier) = max_emails;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM app.enqueue('contact:send_digest', '{}', format('contact:send_digest:%s', extract(epoch FROM next_hour)::bigint),
                      NULL, next_hour + interval '1 minute');
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.group_contact_message(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.group_contact_message(integer) TO porchlight_app, porchlight_overseer;
