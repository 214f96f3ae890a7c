-- email settings

-- file: functions/angels_to_notify.sql
-- Return the angels who should get an email about the running job's need and have not: the nearest first, then the best
-- rated. All emails about the need count towards max_emails.
--
-- These are active angels of the service who live near enough, help on one of the need's days, have a verified address
-- and are under their daily limit. An angel who was asked by name is notified at any distance and on any day.
--
-- Called by: angels, in the job angels:notify_angels.
-- SECURITY DEFINER: angels and their notices are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.angels_to_notify(max_emails integer) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_angels');
  sent bigint := (SELECT count(*) FROM need_notices t WHERE t.need_id = (args ->> 'need_id')::uuid);
BEGIN
  RETURN QUERY
  SELECT a.user_id FROM needs n JOIN angels a ON a.service_id = n.service_id JOIN users u ON u.user_id = a.user_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
     AND n.status = 'open' AND n.expires_at > app.now() AND a.active AND a.user_id <> n.user_id
     AND u.status = 'active' AND u.email <> '' AND u.email_verified
     AND CASE WHEN n.asked_user_id IS NOT NULL THEN a.user_id = n.asked_user_id
              ELSE app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles
                   AND EXISTS (SELECT FROM generate_series(n.wanted_from, least(n.wanted_until, n.wanted_from + 6),
                                                           interval '1 day') d
                                WHERE extract(isodow FROM d)::smallint = ANY (a.days))
                   AND (SELECT count(*) FROM need_notices t
                         WHERE t.user_id = a.user_id AND t.sent_at > app.now() - interval '1 day') < a.mails_a_day END
     AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
     AND (n.asked_user_id IS NOT NULL
          OR NOT EXISTS (SELECT FROM email_settings e WHERE e.user_id = a.user_id AND e.kind = 'needs' AND NOT e.is_on))
   ORDER BY app.miles(a.latitude, a.longitude, n.latitude, n.longitude), app.angel_score(a.ratings, a.rating_sum) DESC
   LIMIT greatest(0, max_emails - sent);
END $$;
REVOKE ALL ON FUNCTION app.angels_to_notify(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_to_notify(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/email_opt_out.sql
-- Return whether a person wants a kind of email from the running job, with the tokens for its links: of this kind, and
-- of the page with all their settings. Without `person`, it is the owner of the job's guru; no row without one.
--
-- Called by: emails, in jobs.
-- SECURITY DEFINER: settings of other users are behind row level security. Requests run no job, so they get no token.
CREATE OR REPLACE FUNCTION app.email_opt_out(wanted text, person uuid)
RETURNS TABLE (is_on boolean, token uuid, page_token uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  args jsonb := (SELECT j.args FROM jobs.procrastinate_jobs j
                  WHERE j.id = nullif(current_setting('app.job_id', true), '')::bigint AND j.status = 'doing');
  caller text := current_setting('app.user_id', true);
  subscriber uuid := coalesce(person, (SELECT m.user_id FROM memberships m
                                        WHERE m.tenant_id = (args ->> 'tenant_id')::uuid LIMIT 1));
BEGIN
  IF args IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'this transaction is not of a running job';
  END IF;
  PERFORM set_config('app.user_id', subscriber::text, true);
  INSERT INTO email_settings (user_id, kind)
  SELECT u.user_id, k.kind FROM users u, (VALUES ('all'), (wanted)) k (kind)
   WHERE u.user_id = subscriber AND u.status <> 'erased' ON CONFLICT DO NOTHING;
  PERFORM set_config('app.user_id', caller, true);
  RETURN QUERY SELECT s.is_on, s.token, p.token FROM email_settings s JOIN email_settings p USING (user_id)
                WHERE s.user_id = subscriber AND s.kind = wanted AND p.kind = 'all';
END $$;
REVOKE ALL ON FUNCTION app.email_opt_out(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_opt_out(text, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/email_settings_of.sql
-- Return the email settings that a link's token is for: the kind, or 'all'; the kinds that are off; and whether the person
-- has a guru's site. No row for an unknown token.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link reads them without signing in.
CREATE OR REPLACE FUNCTION app.email_settings_of(link uuid, OUT kind text, OUT kinds_off text[], OUT is_guru boolean)
RETURNS SETOF record LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.kind, ARRAY(SELECT s.kind FROM email_settings s WHERE s.user_id = l.user_id AND NOT s.is_on),
         EXISTS (SELECT FROM memberships m WHERE m.user_id = l.user_id)
    FROM email_settings l WHERE l.token = link
$$;
REVOKE ALL ON FUNCTION app.email_settings_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_settings_of(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/update_email_setting.sql
-- Turn a kind of email on or off for the person whose link has the token. A link of one kind changes that kind only.
-- Return whether it did.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link changes them without signing in.
CREATE OR REPLACE FUNCTION app.update_email_setting(link uuid, changed text, wanted boolean) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  caller text := current_setting('app.user_id', true);
  person uuid := (SELECT s.user_id FROM email_settings s
                   WHERE s.token = link AND s.kind IN ('all', changed) AND changed <> 'all');
BEGIN
  IF person IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.user_id', person::text, true);
  INSERT INTO email_settings (user_id, kind, is_on) VALUES (person, changed, wanted)
  ON CONFLICT (user_id, kind) DO UPDATE SET is_on = excluded.is_on, changed_at = excluded.changed_at;
  PERFORM set_config('app.user_id', caller, true);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.update_email_setting(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.update_email_setting(uuid, text, boolean) TO porchlight_app, porchlight_overseer;
