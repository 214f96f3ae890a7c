-- Return one page of the open needs of others that the current user may see, newest first. `only_matching` keeps those
-- that match the user's own angel services.
--
-- Called by: angels, for the list of needs. A view reads all needs before it sorts them; this reads one page.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.open_needs(service text, only_matching boolean, before uuid, max_rows integer)
RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.id FROM needs n
    LEFT JOIN angels a ON a.user_id = app.user_id() AND a.service_id = n.service_id AND a.active
   WHERE n.status = 'open' AND n.expires_at > app.now() AND n.user_id <> app.user_id()
     AND n.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
     AND (n.asked_user_id IS NULL OR n.asked_user_id = app.user_id())
     AND (service = '' OR n.service_id = service) AND (before IS NULL OR n.id < before)
     AND (NOT only_matching OR n.asked_user_id = app.user_id()
          OR app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles)
   ORDER BY n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.open_needs(text, boolean, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_needs(text, boolean, uuid, integer) TO porchlight_app, porchlight_overseer;
