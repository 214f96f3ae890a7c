-- flood period

-- file: functions/add_contact_message.sql
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

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the shares of the sender's address and network in a
-- `period`, and in a flood with a proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another
-- report); unproven and limited (see app.flood_limit); unknown (the subject does not exist, is hidden or is not
-- published).
--
-- `reporter`: the current user, or NULL for a visitor. Without `flood_from` only the address has a limit; without
-- `max_per_address` there is none.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea,
  network bytea, key text, new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer,
  flood_from integer, max_in_total integer, period interval, max_title integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
  allowed text;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT * INTO subject FROM app.report_subject(kind, name, max_title);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF flood_from IS NOT NULL THEN
      allowed := app.flood_limit('reports', NULL, address, network, app.now() - period, is_proven, max_per_address,
                                 max_per_network, flood_from, max_in_total);
    ELSIF max_per_address IS NOT NULL AND max_per_address <= (
        SELECT count(*) FROM (SELECT FROM reports r WHERE r.address_hash = address AND r.created_at > app.now() - period
                               LIMIT max_per_address) recent) THEN
      allowed := 'limited';
    END IF;
    IF allowed <> 'open' THEN
      RETURN QUERY SELECT allowed;
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, network_hash, idempotency_key, digest)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, CASE WHEN reporter = app.user_id() THEN reporter END, address, network, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, interval, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/flood_limit.sql
-- Return whether another row may be added to a table that visitors can flood: `open`; `unproven`, when `flood_from` rows
-- or more since `since` exist and the sender has not solved a proof of work; or `limited`, when the sender's address
-- or network has used its share of that time. `max_in_total` only bounds the rows that can be added to the database then.
-- With `tenant`, only that tenant's rows count. A NULL limit allows every row. Without a proof no more than `flood_from`
-- rows are read, so a refused request is cheap.
--
-- Called by: app.add_contact_message, app.create_report and, by `flood_limit_sql()` in Python, the creation of leads.
-- SECURITY INVOKER: the caller needs the right to read the table, which has address_hash, network_hash and created_at.
CREATE OR REPLACE FUNCTION app.flood_limit(
  source text, tenant uuid, address bytea, network bytea, since timestamptz, is_proven boolean, max_per_address bigint,
  max_per_network bigint, flood_from bigint, max_in_total bigint
) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  in_total bigint;
  of_address bigint;
  of_network bigint;
BEGIN
  IF max_in_total IS NULL THEN
    RETURN 'open';
  END IF;
  EXECUTE format(
    'SELECT count(*), count(*) FILTER (WHERE r.address_hash = $2), count(*) FILTER (WHERE r.network_hash = $3)'
    ' FROM (SELECT l.address_hash, l.network_hash FROM public.%I l'
    '        WHERE %s l.created_at > $4 LIMIT $5) r',
    source, CASE WHEN tenant IS NULL THEN '' ELSE 'l.tenant_id = $1 AND' END)
  INTO in_total, of_address, of_network
  USING tenant, address, network, since, CASE WHEN is_proven THEN max_in_total ELSE flood_from END;
  RETURN CASE
    WHEN of_address >= max_per_address OR of_network >= max_per_network OR in_total >= max_in_total THEN 'limited'
    WHEN in_total >= flood_from AND NOT is_proven THEN 'unproven'
    ELSE 'open'
  END;
END $$;
REVOKE ALL ON FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.flood_limit(text, uuid, bytea, bytea, timestamptz, boolean, bigint, bigint, bigint, bigint)
    TO porchlight_app, porchlight_overseer;
