-- Return the angels who should hear of the running job's need and have not: the nearest first, then the best rated. Those
-- who turned these emails off hear in the app only, so they leave the places of max_emails to others and have as many.
--
-- These are active angels of the service who live near enough, help on one of the need's days, have a verified address
-- and are under their limit of emails in `mail_period`. An angel who was asked by name is notified at any distance and on any day.
--
-- Called by: angels, in the job angels:notify_angels.
-- SECURITY DEFINER: angels and their notices are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.angels_to_notify(max_emails integer, mail_period interval) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_angels');
  sent bigint;
  silent bigint;
BEGIN
  SELECT count(*) FILTER (WHERE e.user_id IS NULL), count(e.user_id) INTO sent, silent
    FROM need_notices t LEFT JOIN email_settings e ON e.user_id = t.user_id AND e.kind = 'needs' AND NOT e.is_on
   WHERE t.need_id = (args ->> 'need_id')::uuid;
  RETURN QUERY
  SELECT p.user_id FROM (
    SELECT c.*, row_number() OVER (PARTITION BY c.is_silent ORDER BY c.away, c.score DESC) AS place FROM (
      SELECT a.user_id, app.miles(a.latitude, a.longitude, n.latitude, n.longitude) AS away,
             app.angel_score(a.ratings, a.rating_sum) AS score,
             EXISTS (SELECT FROM email_settings e WHERE e.user_id = a.user_id AND e.kind = 'needs' AND NOT e.is_on)
               AS is_silent
        FROM needs n JOIN angels a ON a.service_id = n.service_id JOIN users u ON u.user_id = a.user_id
       WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
         AND n.status = 'open' AND n.expires_at > app.now() AND a.active AND a.user_id <> n.user_id
         AND u.status = 'active' AND u.email <> '' AND u.email_verified
         AND CASE WHEN n.asked_user_id IS NOT NULL THEN a.user_id = n.asked_user_id
                  ELSE app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles
                       AND EXISTS (SELECT FROM generate_series(0, n.wanted_until - n.wanted_from) later
                                    WHERE extract(isodow FROM n.wanted_from + later)::smallint = ANY (a.days))
                       AND (SELECT count(*) FROM need_notices t
                             WHERE t.user_id = a.user_id AND t.sent_at > app.now() - mail_period) < a.mails_a_day END
         AND NOT EXISTS (SELECT FROM blocks b
                          WHERE (b.user_id, b.blocked_id) IN ((a.user_id, n.user_id), (n.user_id, a.user_id)))
         AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
    ) c
  ) p WHERE p.place <= max_emails - CASE WHEN p.is_silent THEN silent ELSE sent END
   ORDER BY p.away, p.score DESC;
END $$;
REVOKE ALL ON FUNCTION app.angels_to_notify(integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_to_notify(integer, interval) TO porchlight_app, porchlight_overseer;
