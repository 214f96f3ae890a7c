-- Store a report about a site, post, profile or listing, within the shares of the sender's address and network in a
-- `period`, and in a flood with a proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another
-- report); unproven and limited (see app.flood_limit); unknown (the subject does not exist, is hidden or is not
-- published).
--
-- `reporter`: the current user, or NULL for a visitor. Without `flood_from` only the address has a limit; without
-- `max_per_address` there is none.
--
-- A subject is public: a site, a post (label/slug), a profile (handle), a listing (id) or a review of a guru (id); or it is
-- a guru's review (id) of the current user, or a thread (id), which only its two people can report, with `evidence`: its
-- last messages.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing, and the subject is a row of any
-- tenant or user.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea,
  network bytea, key text, new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer,
  flood_from integer, max_in_total integer, period interval, max_title integer, evidence jsonb
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
  allowed text;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT s.* INTO subject FROM (
      SELECT g.id, g.label, g.character, g.id FROM gurus g
       WHERE kind = 'site' AND g.label = name AND g.status = 'active'
      UNION ALL
      SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
       WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
         AND g.status = 'active' AND p.status = 'published' AND p.published_at <= app.now()
      UNION ALL
      SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
       WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
      UNION ALL
      SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
       WHERE kind = 'listing' AND u.status = 'active' AND o.visible
         AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
      UNION ALL
      SELECT r.id, r.id::text, left(r.service_name || ': ' || r.body, max_title), r.tenant_id
        FROM reviews r JOIN gurus g ON g.id = r.tenant_id
       WHERE kind = 'review' AND g.status = 'active' AND r.published_at IS NOT NULL AND r.removed_at IS NULL
         AND (r.side = 'person' OR r.person_id = app.user_id())
         AND r.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
      UNION ALL
      SELECT t.thread_id, t.thread_id::text, left('Messages with ' || coalesce(t.shown_name, 'a neighbor'), max_title), NULL
        FROM thread_people t
       WHERE kind = 'thread' AND evidence IS NOT NULL
         AND t.thread_id = CASE WHEN create_report.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                                THEN create_report.name::uuid END
    ) s (subject_id, subject_name, subject_title, guru_id);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF flood_from IS NOT NULL THEN
      allowed := app.flood_limit('reports', NULL, address, network, app.now() - period, is_proven, max_per_address,
                                 max_per_network, flood_from, max_in_total);
    ELSIF max_per_address <= (
      SELECT count(*) FROM (SELECT FROM reports r WHERE r.address_hash = address AND r.created_at > app.now() - period
                             LIMIT max_per_address) earlier
    ) THEN
      allowed := 'limited';
    END IF;
    IF allowed <> 'open' THEN
      RETURN QUERY SELECT allowed;
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, network_hash, idempotency_key, digest, evidence)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, CASE WHEN reporter = app.user_id() THEN reporter END, address, network, key, new_digest,
            CASE WHEN kind = 'thread' THEN create_report.evidence END)
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
    integer, integer, integer, integer, interval, integer, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, interval, integer, jsonb) TO porchlight_app, porchlight_overseer;
