-- Erase what a guru wrote to banks with their site. The amounts of disputes stay, as those of payments do.
--
-- SECURITY DEFINER: the app role cannot change disputes.
-- Fires on: gurus, when one is deleted.
CREATE OR REPLACE FUNCTION app.on_guru_deleted_disputes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
BEGIN
  PERFORM set_config('app.tenant_id', OLD.id::text, true);
  UPDATE session_disputes SET words = '', customer_words = '' WHERE tenant_id = OLD.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_guru_deleted_disputes AFTER DELETE ON gurus
    FOR EACH ROW EXECUTE FUNCTION app.on_guru_deleted_disputes();
