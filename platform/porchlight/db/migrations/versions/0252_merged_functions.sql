-- merged functions

-- file: functions/billing_object.sql
-- Return the id at Stripe of an object of the catalog: `portal`, the portal's settings, or a price, such as
-- `skill-sharer-month`, for a user whose subscription can change to it. NULL before `porchlight billing sync`.
--
-- Called by: billing.
-- SECURITY DEFINER: the app role cannot read the catalog.
CREATE OR REPLACE FUNCTION app.billing_object(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.object_id FROM billing_catalog c
   WHERE c.key = wanted AND (wanted = 'portal' OR EXISTS (
           SELECT FROM subscriptions s WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due')))
$$;
REVOKE ALL ON FUNCTION app.billing_object(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.billing_object(text) TO porchlight_app, porchlight_overseer;

-- file: functions/counter_add.sql
-- Add to a counter. Each counter has 16 rows, so that concurrent transactions seldom wait for each other.
--
-- Called by: the counter triggers.
-- SECURITY INVOKER: the triggers run as the owner; no role may write the table.
CREATE OR REPLACE FUNCTION app.counter_add(counter text, amount bigint) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp AS $$
  INSERT INTO counters AS t (name, slot, value) SELECT counter, mod(pg_backend_pid(), 16), amount
  WHERE amount <> 0
  ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value
$$;
REVOKE ALL ON FUNCTION app.counter_add(text, bigint) FROM PUBLIC;

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the shares of the sender's address and network, and in a
-- flood with a proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another
-- report); unproven and limited (see app.flood_limit); unknown (the subject does not exist, is hidden or is not
-- published).
--
-- `reporter`: the current user, or NULL for a visitor. Without `flood_from` only the address has a limit; without
-- `max_per_address` there is none.
--
-- A subject is public: a site, a post (label/slug), a profile (handle) or a listing (id); or it is a question (id), which
-- only its two neighbors know.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing, and the subject is a row of any
-- tenant or user.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea,
  network bytea, key text, new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer,
  flood_from integer, max_in_total integer
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
      SELECT q.id, q.id::text, left(p.display_name || ' asked: ' || q.body, 500), NULL
        FROM questions q JOIN profiles p ON p.user_id = q.user_id
       WHERE kind = 'question'
         AND q.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
    ) s (subject_id, subject_name, subject_title, guru_id);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF flood_from IS NOT NULL THEN
      allowed := app.flood_limit('reports', NULL, address, network, app.now(), is_proven, max_per_address,
                                 max_per_network, flood_from, max_in_total);
    ELSIF max_per_address <= (
      SELECT count(*) FROM (SELECT FROM reports r WHERE r.address_hash = address
                               AND r.created_at > app.now() - interval '1 hour' LIMIT max_per_address) earlier
    ) THEN
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
    integer, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/enqueue.sql
-- Add a job to the queue and return its id. The tenant and the user of the transaction are added to the arguments that
-- do not name them. Returns NULL when a job with the same queueing lock already waits. Of the jobs with the same `lock`
-- one runs at a time, in their order. It starts at `start_at` at the earliest; the queue compares that with now(), the
-- machine's clock. Without a queueing lock the plain insert is cheaper.
--
-- Called by: the service role, app.enqueue_task, and the functions and triggers that start a job. The app role may not
-- call it: its arguments decide whose rows a job works on.
-- SECURITY INVOKER: these run as the owner or the service role, whose worker has the rights on the schema jobs.
CREATE OR REPLACE FUNCTION app.enqueue(task text, args jsonb, queueing_lock text, lock text DEFAULT NULL,
                                       start_at timestamptz DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = jobs, pg_temp AS $$
DECLARE
  all_args jsonb := jsonb_build_object('tenant_id', app.tenant_id(), 'user_id', app.user_id()) || args;
  machine_start_at timestamptz := start_at - (app.now() - now());
  new_job_id bigint;
BEGIN
  IF queueing_lock IS NULL THEN
    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, scheduled_at)
    VALUES ('default', task, enqueue.lock, all_args, machine_start_at) RETURNING id INTO new_job_id;
  ELSE
    INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, lock, args, scheduled_at)
    VALUES ('default', task, enqueue.queueing_lock, enqueue.lock, all_args, machine_start_at)
    ON CONFLICT DO NOTHING RETURNING id INTO new_job_id;
  END IF;
  RETURN new_job_id;
END $$;
REVOKE ALL ON FUNCTION app.enqueue(text, jsonb, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue(text, jsonb, text, text, timestamptz) TO porchlight_overseer;

-- file: functions/public_profile.sql
-- Return the public profile of a handle with its user's id, without the fields that its owner hides.
--
-- Called by: profiles and questions.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.public_profile(wanted text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'user_id', p.user_id, 'handle', p.handle, 'display_name', p.display_name, 'bio', p.bio,
           'photo_id', p.photo_id, 'photo_url', p.photo_url, 'languages', p.languages, 'created_at', p.created_at,
           'location', CASE WHEN p.shows_location THEN p.location ELSE '' END,
           'skills_offered', CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END,
           'skills_wanted', CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END,
           'availability', CASE WHEN p.shows_availability THEN p.availability ELSE '' END)
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.public_profile(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.public_profile(text) TO porchlight_app, porchlight_overseer;

-- file: functions/public_user.sql
-- Return what others may see of a user: the public profile, or only the first name when the profile is private.
--
-- Called by: app.need_card, app.offers_of, app.question_card, app.shown_name and app.swap_rings_of.
-- SECURITY INVOKER: these run as the owner, who sees all profiles. No role may call it.
CREATE OR REPLACE FUNCTION app.public_user(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN p.is_public AND p.registered_at IS NOT NULL
           THEN jsonb_build_object('handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
                                   'photo_url', p.photo_url)
           ELSE jsonb_build_object('handle', NULL, 'name', p.first_name, 'photo_id', NULL, 'photo_url', '') END
    FROM profiles p JOIN users u ON u.user_id = p.user_id WHERE p.user_id = wanted AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.public_user(uuid) FROM PUBLIC;

-- file: functions/save_phrase_vectors.sql
-- Save the embeddings of phrases in use: `vectors` has those of `vector_ids`, as literals, because the type exists only with
-- pgvector. All phrases `phrase_ids` are locked until the end of the transaction, so that no search relates them meanwhile.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.save_phrase_vectors(phrase_ids integer[], vector_ids integer[], vectors text[])
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  PERFORM FROM phrases p WHERE p.id = ANY (phrase_ids) ORDER BY p.id FOR NO KEY UPDATE;
  IF cardinality(vector_ids) > 0 THEN
    INSERT INTO phrase_vectors (phrase_id, embedding)
    SELECT s.id, s.literal::vector FROM unnest(vector_ids, vectors) AS s (id, literal)
    ON CONFLICT (phrase_id) DO UPDATE SET embedding = excluded.embedding;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.save_phrase_vectors(integer[], integer[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.save_phrase_vectors(integer[], integer[], text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/set_ring_check_due.sql
-- Set whether the job that finds swap rings checks users. The running job that relates phrases asks for a check of those who
-- offer or want `phrase_ids`, because new relations can complete a ring; the one that finds rings ends the check of
-- `user_ids`. The function restores the user that was set before.
--
-- Called by: embeddings, in the job embeddings:relate_phrases, and matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: offers, wants and locations of other users are behind row level security. The owner role may write
-- only the row of the user that is set.
CREATE OR REPLACE FUNCTION app.set_ring_check_due(user_ids uuid[], phrase_ids integer[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  task text := (SELECT r.task FROM app.running_task() r);
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  is_due boolean := task = 'embeddings:relate_phrases';
  changed uuid[];
  owner_id uuid;
BEGIN
  IF is_due THEN
    changed := ARRAY(
      SELECT l.user_id FROM user_locations l WHERE NOT l.ring_check_due AND l.user_id IN (
        SELECT o.user_id FROM skill_offers o WHERE o.phrase_id = ANY (phrase_ids)
         UNION SELECT w.user_id FROM skill_wants w WHERE w.phrase_id = ANY (phrase_ids))
       ORDER BY l.user_id);
  ELSIF task = 'matches:find_swap_rings' THEN
    changed := ARRAY(SELECT u.id FROM unnest(user_ids) u (id) ORDER BY u.id);
  ELSE
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no ring checks', task);
  END IF;
  FOREACH owner_id IN ARRAY changed LOOP
    PERFORM set_config('app.user_id', owner_id::text, true);
    UPDATE user_locations SET ring_check_due = is_due WHERE user_id = owner_id AND ring_check_due <> is_due;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.set_ring_check_due(uuid[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.set_ring_check_due(uuid[], integer[]) TO porchlight_app, porchlight_overseer;
