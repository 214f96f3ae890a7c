-- Set a guru's status from `published`, the owner's choice, unless staff suspended the site.
-- When staff lift the suspension, the site is as the owner left it. `suspended_at` is when the suspension began, and
-- `suspension_reason` is for the owner.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.guru_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'suspended' THEN
    NEW.status := CASE WHEN NEW.published THEN 'active' ELSE 'unpublished' END;
  END IF;
  NEW.suspended_at := CASE WHEN NEW.status = 'suspended' THEN coalesce(NEW.suspended_at, app.now()) END;
  NEW.suspension_reason := CASE WHEN NEW.status = 'suspended' THEN NEW.suspension_reason ELSE '' END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER guru_status BEFORE INSERT OR UPDATE OF status, published ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.guru_status();
