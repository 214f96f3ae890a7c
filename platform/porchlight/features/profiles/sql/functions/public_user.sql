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
