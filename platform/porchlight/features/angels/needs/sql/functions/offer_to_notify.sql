-- Return the running job's offer, with the email address of the need's owner, while it can be accepted.
--
-- Called by: angels, in the job angels:notify_owner.
-- SECURITY DEFINER: the need and its owner are behind row level security. The offer comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offer_to_notify()
RETURNS TABLE (email text, need_id uuid, title text, price_cents integer, message text, angel text,
               email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_owner');
BEGIN
  RETURN QUERY
  SELECT u.email, n.id, n.title, o.price_cents, o.message, app.shown_name(o.user_id),
         u.email_verified
    FROM need_offers o JOIN needs n ON n.id = o.need_id JOIN users u ON u.user_id = n.user_id
   WHERE o.user_id = (args ->> 'user_id')::uuid AND o.id = (args ->> 'offer_id')::uuid
     AND o.status = 'open' AND n.status = 'open' AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.offer_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_to_notify() TO porchlight_app, porchlight_overseer;
