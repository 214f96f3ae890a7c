-- Create the guru of the current user once all four onboarding steps are done, or put its site online again.
-- The caller then writes the site's content as the new tenant. The function restores the tenant that was set before.
-- Outcomes: created, updated; no_user, not_ready, suspended, invalid, taken, reserved.
--
-- Called by: onboarding.
-- SECURITY DEFINER: the app role cannot insert into gurus and memberships.
CREATE OR REPLACE FUNCTION app.publish_guru(new_id uuid, wanted text,
                                            OUT outcome text, OUT guru_id uuid, OUT guru_label text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  current_status text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  IF NOT EXISTS (SELECT FROM users u WHERE u.user_id = owner_id AND u.status = 'active') THEN
    outcome := 'no_user';
    RETURN;
  END IF;
  SELECT g.id, g.label, g.status INTO guru_id, guru_label, current_status
    FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = owner_id;
  IF current_status = 'suspended' THEN
    outcome := 'suspended';
  ELSIF NOT (
    SELECT EXISTS (SELECT FROM onboardings o WHERE o.user_id = owner_id AND o.complete)
           AND coalesce(bool_and(s.submitted), false)
           AND EXISTS (SELECT FROM payout_accounts p WHERE p.user_id = owner_id AND p.connected
                          AND p.charges_enabled AND p.payouts_enabled AND p.details_submitted)
      FROM app.category_status(
             owner_id, ARRAY(SELECT p.category_slug FROM category_picks p WHERE p.user_id = owner_id)) s
  ) THEN
    outcome := 'not_ready';
  ELSIF guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    UPDATE gurus SET published = true WHERE id = guru_id AND NOT published;
    outcome := 'updated';
  ELSE
    outcome := app.check_label(wanted, NULL);
    IF outcome = 'free' THEN
      PERFORM set_config('app.tenant_id', new_id::text, true);
      INSERT INTO gurus (id, label, character, category) VALUES (new_id, wanted, '', 'general');
      INSERT INTO memberships (tenant_id, user_id) VALUES (new_id, owner_id);
      outcome := 'created';
      guru_id := new_id;
      guru_label := wanted;
    END IF;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.publish_guru(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.publish_guru(uuid, text) TO porchlight_app;
