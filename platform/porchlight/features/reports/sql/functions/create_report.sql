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
