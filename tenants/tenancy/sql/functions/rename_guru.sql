-- Give the current user's guru another subdomain. The former one redirects; a guru keeps at most
-- `max_former_labels` of them.
-- Outcomes: renamed, same; no_guru, suspended, changed, invalid, taken, reserved, too_often.
--
-- Called by: onboarding.
-- SECURITY DEFINER: the app role cannot change a guru's label.
CREATE OR REPLACE FUNCTION app.rename_guru(wanted text, max_former_labels integer,
                                            OUT outcome text, OUT guru_id uuid, OUT guru_label text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  former_label text;
  current_status text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT m.tenant_id INTO guru_id FROM memberships m WHERE m.user_id = owner_id;
  IF guru_id IS NULL THEN
    outcome := 'no_guru';
    RETURN;
  END IF;
  PERFORM set_config('app.tenant_id', guru_id::text, true);
  SELECT g.label INTO former_label FROM gurus g WHERE g.id = guru_id;
  PERFORM pg_advisory_xact_lock(hashtextextended(
    'label ' || least(former_label COLLATE "C", wanted COLLATE "C"), 0));
  PERFORM pg_advisory_xact_lock(hashtextextended(
    'label ' || greatest(former_label COLLATE "C", wanted COLLATE "C"), 0));
  SELECT g.label, g.status INTO guru_label, current_status FROM gurus g WHERE g.id = guru_id FOR UPDATE;
  IF current_status = 'suspended' THEN
    outcome := 'suspended';
  ELSIF guru_label = wanted THEN
    outcome := 'same';
  ELSIF guru_label <> former_label THEN
    outcome := 'changed';
  ELSE
    outcome := app.check_label(wanted, guru_id);
    IF outcome = 'free' AND max_former_labels <= (
      SELECT count(*) FROM retired_labels r WHERE r.tenant_id = guru_id AND r.label <> wanted
    ) THEN
      outcome := 'too_often';
    ELSIF outcome = 'free' THEN
      DELETE FROM retired_labels r WHERE r.tenant_id = guru_id AND r.label = wanted;
      UPDATE gurus SET label = wanted WHERE id = guru_id;
      INSERT INTO retired_labels (tenant_id, label) VALUES (guru_id, former_label);
      outcome := 'renamed';
      guru_label := wanted;
    END IF;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
END $$;
REVOKE ALL ON FUNCTION app.rename_guru(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.rename_guru(text, integer) TO porchlight_app;
