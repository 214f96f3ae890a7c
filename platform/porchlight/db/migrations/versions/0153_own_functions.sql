-- own functions

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the limits per sender address and in total per hour.
-- Outcomes: created; same (sent before with this key); other (the key was used for another report); limited; unknown
-- (the subject does not exist, is hidden or is not published).
--
-- `reporter`: the current user, or NULL for a visitor.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea, key text,
  new_digest bytea, max_per_address integer, max_in_total integer
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT * INTO subject FROM app.report_subject(kind, name);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF NOT app.rate_limit('reports', NULL, address, now(), max_per_address, max_in_total) THEN
      RETURN QUERY SELECT 'limited';
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, idempotency_key, digest)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, CASE WHEN reporter = app.user_id() THEN reporter END, address, key, new_digest)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, text, bytea, integer, integer) FROM
    PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, text, bytea, integer, integer) TO
    porchlight_app, porchlight_overseer;

-- file: functions/documents_status.sql
-- Return one row per category and document type that the current user, who is `wanted`, ever sent: whether one is
-- approved and valid on `today`, whether one waits for review, and the last day of the best one (NULL: no end). Days
-- are UTC. The category '' means that the document was sent for no category in particular.
--
-- Called by: app.category_status.
-- SECURITY DEFINER: a guru's published site depends on documents of its owner, whose rows the tenant's connection
-- cannot see.
CREATE OR REPLACE FUNCTION app.documents_status(wanted uuid, today date DEFAULT (now() AT TIME ZONE 'UTC')::date)
RETURNS TABLE (category text, type text, approved boolean, pending boolean, good_until date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.category, d.type,
         bool_or(d.status = 'approved' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         bool_or(d.status = 'pending' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         nullif(max(coalesce(d.expires_on, 'infinity')) FILTER (WHERE d.status = 'approved'), 'infinity')
    FROM documents d WHERE d.user_id = wanted AND wanted = app.user_id() GROUP BY d.category, d.type
$$;
REVOKE ALL ON FUNCTION app.documents_status(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.documents_status(uuid, date) TO porchlight_app, porchlight_overseer;

-- file: functions/lock_swap_ring.sql
-- Lock a swap ring of the current user, who is `me`, until the transaction ends and return its state.
--
-- Called by: matches, before a member accepts or declines.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lock_swap_ring(me uuid, wanted uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.state FROM swap_rings r
   WHERE r.id = wanted AND EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = r.id AND m.user_id = me
                                           AND me = app.user_id())
     FOR UPDATE OF r
$$;
REVOKE ALL ON FUNCTION app.lock_swap_ring(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_swap_ring(uuid, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/own_guru.sql
-- Return the guru that the current user owns.
--
-- Called by: onboarding and console.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.own_guru() RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.guru_of(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_guru() TO porchlight_app;

-- file: functions/own_match_method.sql
-- Return what related the phrases of the current user to others, or NULL while some of them still wait for the job.
--
-- Called by: matches.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.own_match_method() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.match_method(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_match_method() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_match_method() TO porchlight_app;

-- file: functions/own_skill_matches.sql
-- Return the best matches of the current user, as app.skill_matches does.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.own_skill_matches(max_results integer, min_score real)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.skill_matches(app.user_id(), max_results, min_score)
$$;
REVOKE ALL ON FUNCTION app.own_skill_matches(integer, real) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skill_matches(integer, real) TO porchlight_app;

-- file: functions/own_skills_to_offer.sql
-- Return the skills that the current user could add, as app.skill_to_offer does.
--
-- Called by: matches.
-- SECURITY DEFINER: it reads the wishes of all users and returns only numbers.
CREATE OR REPLACE FUNCTION app.own_skills_to_offer(max_results integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.skill_to_offer(app.user_id(), max_results)
$$;
REVOKE ALL ON FUNCTION app.own_skills_to_offer(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skills_to_offer(integer) TO porchlight_app;

-- file: functions/own_swap_rings.sql
-- Return the open and agreed swap rings of the current user, with the other two members.
--
-- Called by: matches.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.own_swap_rings()
RETURNS TABLE (id uuid, state text, availability_bits integer, created_at timestamptz, members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.swap_rings_of(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_swap_rings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_swap_rings() TO porchlight_app;

-- file: functions/settle_swap_ring.sql
-- Set the state of a swap ring of the current user from the answers of its members and start the job that informs them.
-- One refusal declines the ring; three acceptances agree on it.
--
-- Called by: matches, after an answer.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.settle_swap_ring(wanted uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_state text;
BEGIN
  IF NOT EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = wanted AND m.user_id = app.user_id()) THEN
    RETURN NULL;
  END IF;
  SELECT CASE WHEN bool_or(m.answer = 'declined') THEN 'declined'
              WHEN count(*) FILTER (WHERE m.answer = 'accepted') = 3 THEN 'agreed' ELSE 'proposed' END
    INTO now_state FROM swap_ring_members m WHERE m.ring_id = wanted;
  UPDATE swap_rings SET state = now_state WHERE id = wanted AND state = 'proposed' AND state <> now_state;
  IF FOUND THEN
    PERFORM app.enqueue('matches:notify_members', jsonb_build_object('ring_id', wanted), NULL);
  END IF;
  RETURN now_state;
END $$;
REVOKE ALL ON FUNCTION app.settle_swap_ring(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.settle_swap_ring(uuid) TO porchlight_app, porchlight_overseer;
