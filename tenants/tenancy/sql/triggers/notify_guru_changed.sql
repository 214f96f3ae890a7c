-- Notify every process that a guru changed, so that cached hosts and responses are dropped.
-- Payload on the channel porchlight_tenants: the tenant's id and the subdomains concerned.
--
-- Fires on: gurus.
CREATE OR REPLACE FUNCTION app.notify_guru_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label);
  ELSIF TG_OP = 'UPDATE' AND NEW.label = OLD.label THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label);
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM pg_notify('porchlight_tenants', NEW.id || ' ' || NEW.label || ' ' || OLD.label);
  ELSE
    PERFORM pg_notify('porchlight_tenants', OLD.id || ' ' || OLD.label);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_guru_changed AFTER INSERT OR UPDATE OR DELETE ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.notify_guru_changed();
