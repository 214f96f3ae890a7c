-- Set a guru's status from `published`, the owner's choice, unless staff suspended the site.
-- When staff lift the suspension, the site is as the owner left it.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.guru_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'suspended' THEN
    NEW.status := CASE WHEN NEW.published THEN 'active' ELSE 'unpublished' END;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER guru_status BEFORE INSERT OR UPDATE OF status, published ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.guru_status();
