-- Return the offers whose authors get an email about the result of the running job's need, in order of their creation.
--
-- Called by: angels, in the job angels:notify_result.
-- SECURITY DEFINER: offers and their authors are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offers_to_notify()
RETURNS TABLE (offer_id uuid, email text, angel text, price_cents integer, email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_result');
BEGIN
  RETURN QUERY
  SELECT o.id, u.email, p.display_name, o.price_cents, u.email_verified
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
    JOIN profiles p ON p.user_id = o.user_id
   WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
     AND o.status = 'open' AND u.status = 'active' AND u.email <> '' ORDER BY o.id;
END $$;
REVOKE ALL ON FUNCTION app.offers_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offers_to_notify() TO porchlight_app, porchlight_overseer;
