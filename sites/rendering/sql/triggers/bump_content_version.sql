-- Give a guru's site a new content version when its own row changes.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.bump_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.content_version = OLD.content_version THEN
    NEW.content_version := OLD.content_version + 1;
    NEW.updated_at := app.now();
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER bump_content_version BEFORE UPDATE ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.bump_content_version();
