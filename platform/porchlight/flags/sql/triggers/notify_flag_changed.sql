-- Notify every process that a flag changed, so that it reads the flags again.
-- The id in the payload belongs to no tenant; flags listen for it.
--
-- Fires on: flag_settings, guru_flags.
CREATE OR REPLACE FUNCTION app.notify_flag_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('porchlight_tenants', '00000000-0000-7000-8000-000000000012');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_flag_changed AFTER INSERT OR UPDATE OR DELETE ON flag_settings
    FOR EACH STATEMENT EXECUTE FUNCTION app.notify_flag_changed();
CREATE OR REPLACE TRIGGER notify_flag_changed AFTER INSERT OR UPDATE OR DELETE ON guru_flags
    FOR EACH STATEMENT EXECUTE FUNCTION app.notify_flag_changed();
