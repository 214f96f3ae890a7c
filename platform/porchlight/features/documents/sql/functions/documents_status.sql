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
