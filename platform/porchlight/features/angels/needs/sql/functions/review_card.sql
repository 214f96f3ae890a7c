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
