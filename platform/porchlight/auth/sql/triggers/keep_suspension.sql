-- Keep a suspension: no request lifts it.
--
-- Fires on: users, when a suspended account would become active.
CREATE OR REPLACE FUNCTION app.keep_suspension() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'porchlight_app' THEN
    RAISE insufficient_privilege USING MESSAGE = 'only staff lift a suspension';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_suspension BEFORE UPDATE OF status ON users
    FOR EACH ROW WHEN (OLD.status <> 'active' AND NEW.status = 'active') EXECUTE FUNCTION app.keep_suspension();
