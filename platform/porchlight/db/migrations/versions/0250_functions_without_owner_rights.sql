-- functions without owner rights

-- file: functions/apply_plan_limits.sql
-- Let what others see of the current user follow the plan: offers, photos, the guru site, and the plan that lists show.
-- Also stores when the plan may change by itself. Nothing is deleted. The function restores the tenant that was set.
--
-- Called by: plans, in the jobs after a plan changed or ended.
CREATE OR REPLACE FUNCTION app.apply_plan_limits(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_plan text := app.lock_plan();
  own_guru_id uuid := (SELECT g.tenant_id FROM app.own_guru() g);
BEGIN
  PERFORM app.limit_offers(limits);
  IF own_guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    PERFORM app.limit_site(limits);
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  UPDATE users SET listed_plan = own_plan, plan_check_at = (SELECT min(r.until) FROM app.plan_rights(app.user_id()) r)
   WHERE user_id = app.user_id();
END $$;

-- file: functions/can_see_need.sql
-- Return whether the current user may see a need: its owner, the angel it is addressed to, an angel who made an
-- offer, and every user while it is open and addressed to no one in particular.
--
-- Called by: app.visible_need and app.need_photo.
-- SECURITY INVOKER: these run as the owner, who sees the offers of all users.
CREATE OR REPLACE FUNCTION app.can_see_need(n needs) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT app.user_id() IS NOT NULL AND (
         n.user_id = app.user_id() OR n.asked_user_id = app.user_id()
         OR (n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.can_see_need(needs) FROM PUBLIC;

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
    ELSIF NOT app.rate_limit('reports', NULL, address, app.now(), max_per_address, max_in_total) THEN
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

-- file: functions/create_stripe_write.sql
-- Store the intent of a change at Stripe and wake the sender; return its id. The worker sends it after the commit, with
-- a key made of the id, so that every attempt to send it is the same request. With `tagged`, the object carries the id
-- in its metadata, by which it is found when the outcome is unknown.
--
-- A subject gets a new attempt only after the former one was refused or is absent at Stripe; otherwise this is an error.
--
-- Called by: the service role and the functions that store a change, such as app.create_payout.
-- SECURITY INVOKER: the app role may not call it, and has no privileges on stripe_outbox.
CREATE OR REPLACE FUNCTION app.create_stripe_write(kind text, subject_id uuid, account text, method text, path text,
                                                   params jsonb, tagged boolean DEFAULT true) RETURNS uuid
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  former record;
  new_id uuid := gen_random_uuid();
BEGIN
  SELECT o.attempt, o.state INTO former FROM stripe_outbox o
   WHERE o.kind = create_stripe_write.kind AND o.subject_id = create_stripe_write.subject_id
   ORDER BY o.attempt DESC LIMIT 1;
  IF FOUND AND former.state NOT IN ('refused', 'absent') THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('the write %s of %s is %s', kind, subject_id, former.state);
  END IF;
  INSERT INTO stripe_outbox (id, kind, subject_id, attempt, account, lane, method, path, params)
  VALUES (new_id, kind, subject_id, coalesce(former.attempt, 0) + 1, account,
          CASE WHEN account = '' THEN subject_id::text ELSE account END, method, path,
          CASE WHEN tagged THEN params || jsonb_build_object(
            'metadata', coalesce(params -> 'metadata', '{}') || jsonb_build_object('outbox', new_id)) ELSE params END);
  PERFORM app.enqueue('settlement:send', '{}', 'settlement:send');
  RETURN new_id;
END $$;
REVOKE ALL ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_stripe_write(text, uuid, text, text, text, jsonb, boolean) TO porchlight_overseer;

-- file: functions/documents_status.sql
-- Return one row per category and document type that the current user, who is `wanted`, ever sent: whether one is
-- approved and valid on `today`, whether one waits for review, and the last day of the best one (NULL: no end). Days
-- are UTC. The category '' means that the document was sent for no category in particular.
--
-- Called by: app.category_status.
-- SECURITY INVOKER: it reads the user's own documents.
CREATE OR REPLACE FUNCTION app.documents_status(wanted uuid, today date DEFAULT (app.now() AT TIME ZONE 'UTC')::date)
RETURNS TABLE (category text, type text, approved boolean, pending boolean, good_until date)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT d.category, d.type,
         bool_or(d.status = 'approved' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         bool_or(d.status = 'pending' AND (d.expires_on IS NULL OR d.expires_on >= today)),
         nullif(max(coalesce(d.expires_on, 'infinity')) FILTER (WHERE d.status = 'approved'), 'infinity')
    FROM documents d WHERE d.user_id = wanted AND wanted = app.user_id() GROUP BY d.category, d.type
$$;
REVOKE ALL ON FUNCTION app.documents_status(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.documents_status(uuid, date) TO porchlight_app, porchlight_overseer;

-- file: functions/limit_offers.sql
-- Mark the current user's offers and work photos that exceed the plan, the newest first: others do not see them until
-- they fit again. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.limit_offers(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.plan_of(app.user_id());
BEGIN
  UPDATE skill_offers o SET over_limit = n.is_over, visible = n.is_public
    FROM (SELECT s.id, p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL AS is_public,
                 row_number() OVER (PARTITION BY 'price' = ANY (s.terms) ORDER BY s.created_at, s.id)
                 > (own ->> CASE WHEN 'price' = ANY (s.terms) THEN 'priced_offers' ELSE 'exchange_offers' END)::integer
                 AS is_over
            FROM skill_offers s JOIN profiles p ON p.user_id = s.user_id WHERE s.user_id = app.user_id()) n
   WHERE o.user_id = app.user_id() AND o.id = n.id AND o.over_limit <> n.is_over;
  UPDATE listing_photos f SET over_limit = n.is_over
    FROM (SELECT l.offer_id, l.id,
                 row_number() OVER (ORDER BY l.created_at, l.id) > (own ->> 'work_photos')::integer AS is_over
            FROM listing_photos l WHERE l.user_id = app.user_id()) n
   WHERE f.user_id = app.user_id() AND f.offer_id = n.offer_id AND f.id = n.id AND f.over_limit <> n.is_over;
END $$;

-- file: functions/limit_site.sql
-- Hide from visitors the current site's priced services, listed categories and domains that exceed its owner's plan,
-- until they fit again: the newest ones first, and of the categories those that were hidden before. Domains that the
-- operator connected stay. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans, onboarding and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.limit_site(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.tenant_plan(false);
BEGIN
  UPDATE services s SET over_limit = n.is_over
    FROM (SELECT o.id, o.price_cents > 0
                 AND row_number() OVER (PARTITION BY o.price_cents > 0 ORDER BY o.created_at, o.position, o.id)
                     > (own ->> 'priced_services')::integer AS is_over
            FROM services o WHERE o.tenant_id = app.tenant_id()) n
   WHERE s.tenant_id = app.tenant_id() AND s.id = n.id AND s.over_limit <> n.is_over;
  UPDATE guru_categories c SET over_limit = n.is_over
    FROM (SELECT o.slug, o.listed
                 AND row_number() OVER (PARTITION BY o.listed ORDER BY o.over_limit, o.created_at, o.position, o.slug)
                     > (own ->> 'listed_categories')::integer AS is_over
            FROM guru_categories o WHERE o.tenant_id = app.tenant_id()) n
   WHERE c.tenant_id = app.tenant_id() AND c.slug = n.slug AND c.over_limit <> n.is_over;
  UPDATE domains d SET over_limit = d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean
   WHERE d.tenant_id = app.tenant_id() AND d.over_limit <> (d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean);
END $$;

-- file: functions/lock_plan.sql
-- Lock what the current user's plan limits until the end of the transaction, and return the plan.
--
-- Called by: porchlight.plans and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.lock_plan() RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || app.user_id(), 0));
  RETURN app.plan_of(app.user_id());
END $$;

-- file: functions/need_card.sql
-- Return a need as the current user may see it. `miles` is measured from the user's own place as an angel.
--
-- Called by: app.visible_need and app.open_needs.
-- SECURITY INVOKER: these run as the owner, who sees the profiles, offers and photos of all users.
CREATE OR REPLACE FUNCTION app.need_card(n needs) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'id', n.id, 'service_id', n.service_id, 'title', n.title, 'description', n.description,
    'wanted_from', n.wanted_from, 'wanted_until', n.wanted_until, 'time_note', n.time_note, 'hours', n.hours,
    'budget_cents', n.budget_cents, 'low_cents', n.low_cents, 'high_cents', n.high_cents,
    'city', n.city, 'region', n.region, 'status', n.status, 'expires_at', n.expires_at, 'created_at', n.created_at,
    'rating', n.rating, 'review', n.review, 'accepted_offer_id', n.accepted_offer_id,
    'asked', CASE WHEN n.asked_user_id IS NOT NULL THEN app.public_user(n.asked_user_id) END,
    'asks_me', n.asked_user_id IS NOT DISTINCT FROM app.user_id() AND app.user_id() IS NOT NULL,
    'mine', n.user_id = app.user_id(), 'neighbor', app.public_user(n.user_id),
    'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                FROM angels a WHERE a.user_id = app.user_id()),
    'offers', (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open'),
    'photos', (SELECT coalesce(jsonb_agg(p.id ORDER BY p.position), '[]') FROM need_photos p
                WHERE p.user_id = n.user_id AND p.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.need_card(needs) FROM PUBLIC;

-- file: functions/own_guru.sql
-- Return the guru that the current user owns.
--
-- Called by: onboarding, app.update_listed_categories, app.plan_usage and app.apply_plan_limits.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.own_guru() RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.own_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_guru() TO porchlight_app, porchlight_overseer;

-- file: functions/own_match_method.sql
-- Return what related the phrases of the current user to others, or NULL while some of them still wait for the job.
--
-- Called by: matches.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.own_match_method() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN bool_and(p.related_by IS NOT NULL) THEN max(p.related_by) END FROM phrases p
   WHERE p.id IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = app.user_id()
                  UNION ALL SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = app.user_id())
$$;
REVOKE ALL ON FUNCTION app.own_match_method() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_match_method() TO porchlight_app;

-- file: functions/plan_change_kind.sql
-- Return what it means for the current user to ask for a plan: upgrade (now), downgrade (when the paid period ends),
-- cancel (likewise), keep (take a planned change back), or why it is not possible: no_subscription, payment_failed,
-- change_in_progress, change_pending, no_change.
--
-- Called by: billing and app.request_plan_change.
-- SECURITY INVOKER: it reads the user's own subscription and changes.
CREATE OR REPLACE FUNCTION app.plan_change_kind(wanted_plan text, wanted_interval text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  s subscriptions;
  is_planned boolean;
BEGIN
  SELECT c.* INTO s FROM subscriptions c
   WHERE c.user_id = app.user_id() AND c.state IN ('incomplete', 'active', 'past_due');
  is_planned := s.cancel_at_end OR s.next_plan IS NOT NULL;
  RETURN CASE
    WHEN s.state IS NULL OR s.state = 'incomplete' THEN 'no_subscription'
    WHEN EXISTS (SELECT FROM plan_changes c WHERE c.user_id = app.user_id() AND c.state = 'requested')
      THEN 'change_in_progress'
    WHEN wanted_plan = s.plan AND wanted_interval = s.interval THEN CASE WHEN is_planned THEN 'keep' ELSE 'no_change' END
    WHEN is_planned THEN CASE WHEN wanted_plan = 'community' AND s.cancel_at_end THEN 'no_change' ELSE 'change_pending' END
    WHEN wanted_plan = 'community' THEN 'cancel'
    WHEN s.state = 'past_due' THEN 'payment_failed'
    WHEN s.plan = 'premium-angel' AND wanted_plan = 'skill-sharer' OR s.interval = 'year' AND wanted_interval = 'month'
      THEN 'downgrade'
    ELSE 'upgrade' END;
END $$;
REVOKE ALL ON FUNCTION app.plan_change_kind(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_change_kind(text, text) TO porchlight_app, porchlight_overseer;

-- file: functions/plan_of.sql
-- Return a user's plan: the best paid one, or community.
--
-- Called by: porchlight.plans and listings, app.lock_plan, app.limit_offers and app.tenant_plan.
-- SECURITY INVOKER: to a request, app.plan_rights shows the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_of(wanted uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT r.plan FROM app.plan_rights(wanted) r LIMIT 1), 'community')
$$;
REVOKE ALL ON FUNCTION app.plan_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_of(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/plan_rights.sql
-- Return the paid plans that a user has now, the best first, each until when and from where (grant or subscription).
-- `until` is NULL for a subscription that renews. A subscription keeps its plan for 14 days of grace: from the first
-- failed charge, or else from the end of the paid period after a cancellation.
--
-- Called by: billing, app.apply_plan_limits and app.plan_of.
-- SECURITY INVOKER: row level security shows a request the plans of the current user only.
CREATE OR REPLACE FUNCTION app.plan_rights(wanted uuid) RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM (
    SELECT g.plan, g.until, 'grant' AS source FROM plan_grants g WHERE g.user_id = wanted
     UNION ALL
    SELECT s.plan, CASE s.state WHEN 'past_due' THEN s.past_due_since + interval '14 days'
                                WHEN 'canceled' THEN coalesce(s.past_due_since, s.period_end) + interval '14 days' END,
           'subscription'
      FROM subscriptions s WHERE s.user_id = wanted AND s.state IN ('active', 'past_due', 'canceled')
       AND (s.state <> 'canceled' OR coalesce(s.past_due_since, s.period_end) IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > app.now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/review_card.sql
-- Return the review of a completed need as anybody may see it: its service and length represent the job, because the
-- need's own texts are for angels only. The author is a first name, or '' without one.
--
-- Called by: app.angels_for and app.reviews_of.
-- SECURITY INVOKER: these run as the owner, who sees all profiles.
CREATE OR REPLACE FUNCTION app.review_card(n needs) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'id', n.id, 'service', (SELECT s.title FROM angel_services s WHERE s.id = n.service_id), 'hours', n.hours,
    'rating', n.rating, 'words', n.review, 'date', (n.updated_at AT TIME ZONE 'UTC')::date,
    'author', coalesce((SELECT CASE WHEN p.first_name <> '' OR NOT p.is_public THEN p.first_name
                                    ELSE split_part(p.display_name, ' ', 1) END
                          FROM profiles p WHERE p.user_id = n.user_id), ''))
$$;
REVOKE ALL ON FUNCTION app.review_card(needs) FROM PUBLIC;

-- file: functions/send_customer_email.sql
-- Create the write that gives a user's customer at Stripe the user's email address, for receipts. Each change has a write
-- of its own: what it brought is compared with the address of then when it is done.
--
-- Called by: billing, and the trigger of `users`.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_customer_email(wanted uuid) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT app.create_stripe_write('billing_customer_email', gen_random_uuid(), '', 'POST',
                                 '/v1/customers/' || b.customer_id, jsonb_build_object('email', u.email))
    FROM billing_customers b JOIN users u ON u.user_id = b.user_id
   WHERE b.user_id = wanted AND b.customer_id IS NOT NULL AND u.email <> ''
$$;
REVOKE ALL ON FUNCTION app.send_customer_email(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_customer_email(uuid) TO porchlight_overseer;

-- file: functions/send_plan_change.sql
-- Create the next write of a requested change. A subscription that follows a schedule is released from it first.
-- An upgrade is charged now, and Stripe keeps the old plan until the charge succeeds.
--
-- Called by: app.request_plan_change, and billing when the release is done.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_change(change_id uuid, is_released boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  c plan_changes;
  s subscriptions;
  path text;
  params jsonb;
BEGIN
  SELECT p.* INTO c FROM plan_changes p WHERE p.id = change_id;
  SELECT p.* INTO s FROM subscriptions p WHERE p.user_id = c.user_id AND p.id = c.subscription_id;
  path := '/v1/subscriptions/' || s.sub_id;
  IF s.schedule_id <> '' AND NOT is_released THEN
    PERFORM app.create_stripe_write('plan_release', c.id, '', 'POST',
      '/v1/subscription_schedules/' || s.schedule_id || '/release', '{}', false);
  ELSIF c.kind = 'upgrade' THEN
    -- Stripe takes no metadata together with pending_if_incomplete.
    params := jsonb_build_object(
      'items', jsonb_build_array(jsonb_build_object('id', s.item_id, 'price', p.object_id)),
      'proration_behavior', 'always_invoice', 'payment_behavior', 'pending_if_incomplete',
      'expand', jsonb_build_array('latest_invoice', 'default_payment_method', 'schedule'))
      FROM billing_catalog p WHERE p.key = c.plan || '-' || c.interval;
    IF c.prorated_at IS NOT NULL AND c.interval = s.interval THEN
      params := params || jsonb_build_object('proration_date', extract(epoch FROM c.prorated_at)::bigint);
    END IF;
    PERFORM app.create_stripe_write('plan_upgrade', c.id, '', 'POST', path, params, false);
  ELSIF c.kind = 'downgrade' THEN
    PERFORM app.create_stripe_write('plan_schedule', c.id, '', 'POST', '/v1/subscription_schedules',
      jsonb_build_object('from_subscription', s.sub_id), false);
  ELSE
    PERFORM app.create_stripe_write('plan_renewal', c.id, '', 'POST', path, jsonb_build_object(
      'cancel_at_period_end', c.kind = 'cancel', 'expand', jsonb_build_array('default_payment_method', 'schedule')));
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.send_plan_change(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_plan_change(uuid, boolean) TO porchlight_overseer;

-- file: functions/send_plan_checkout.sql
-- Create the write that opens a waiting checkout at Stripe, now that the customer is known there.
--
-- Called by: app.start_plan_checkout, and billing when Stripe created the customer.
-- SECURITY INVOKER: only the service role and the owner's functions may create writes.
CREATE OR REPLACE FUNCTION app.send_plan_checkout(checkout_id uuid) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT app.create_stripe_write('plan_checkout', c.id, '', 'POST', '/v1/checkout/sessions', jsonb_build_object(
           'mode', 'subscription',
           'customer', b.customer_id,
           'client_reference_id', c.user_id,
           'line_items', jsonb_build_array(jsonb_build_object('price', p.object_id, 'quantity', 1)),
           'success_url', c.return_url || 'checkout=success',
           'cancel_url', c.return_url || 'checkout=canceled',
           'subscription_data', jsonb_build_object('metadata', jsonb_build_object('user_id', c.user_id))))
    FROM plan_checkouts c JOIN billing_customers b ON b.user_id = c.user_id
    JOIN billing_catalog p ON p.key = c.plan || '-' || c.interval
   WHERE c.id = checkout_id AND c.state = 'waiting' AND b.customer_id IS NOT NULL
$$;
REVOKE ALL ON FUNCTION app.send_plan_checkout(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.send_plan_checkout(uuid) TO porchlight_overseer;

-- file: functions/shown_name.sql
-- Return the name by which other users know a user: of a public profile the full name, of a private one the first name.
-- Never empty, for sentences.
--
-- Called by: the functions that name a user in an email or a list of another user.
-- SECURITY INVOKER: these run as the owner, who sees all profiles. No role may call it: the functions that do have
-- decided whom the caller may know.
CREATE OR REPLACE FUNCTION app.shown_name(wanted uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(nullif(app.public_user(wanted) ->> 'name', ''), 'A neighbor')
$$;
REVOKE ALL ON FUNCTION app.shown_name(uuid) FROM PUBLIC;

-- file: functions/tenant_plan.sql
-- Return the plan of the current guru site: that of its owner. With `locked`, what the plan limits is locked until the end
-- of the transaction, and the plan is the one after the lock. The lock is the owner's (app.lock_plan), or the site's while
-- it has no owner.
--
-- Called by: porchlight.plans, console and app.limit_site.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.tenant_plan(locked boolean) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := (SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id());
BEGIN
  IF locked THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || coalesce(owner_id, app.tenant_id()), 0));
  END IF;
  RETURN app.plan_of(owner_id);
END $$;
REVOKE ALL ON FUNCTION app.tenant_plan(boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.tenant_plan(boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/update_angel_counters.sql
-- Store the completed jobs and ratings of the angel who completed the running job's need, and return the angel.
-- Idempotent. The function restores the user that was set before.
--
-- Called by: angels, in the job angels:update_counters.
-- SECURITY DEFINER: requests cannot write these columns, and the angel's needs are rows of many owners, behind row level
-- security. The need comes from the job and must be of the job's user.
CREATE OR REPLACE FUNCTION app.update_angel_counters() RETURNS SETOF uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  args jsonb := app.running_job('angels:update_counters');
  counted record;
BEGIN
  FOR counted IN
    SELECT d.accepted_user_id AS user_id, d.service_id, count(*)::integer AS jobs, count(d.rating)::integer AS ratings,
           coalesce(sum(d.rating), 0)::integer AS rating_sum
      FROM needs n JOIN needs d ON d.accepted_user_id = n.accepted_user_id AND d.service_id = n.service_id
     WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid AND d.status = 'done'
     GROUP BY d.accepted_user_id, d.service_id
  LOOP
    PERFORM set_config('app.user_id', counted.user_id::text, true);
    UPDATE angels a SET jobs = counted.jobs, ratings = counted.ratings, rating_sum = counted.rating_sum
     WHERE a.user_id = counted.user_id AND a.service_id = counted.service_id;
    RETURN NEXT counted.user_id;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.update_angel_counters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.update_angel_counters() TO porchlight_app, porchlight_overseer;
