-- Erase the person of a deleted account from all reviews. The stars they gave stay, without words and name; what gurus
-- wrote about them goes.
--
-- Fires on: users, when the status becomes erased.
-- SECURITY DEFINER: the app role cannot change what a review says, and does not see the hidden ones of gurus.
CREATE OR REPLACE FUNCTION app.on_user_deleted_reviews() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock rows in the same order.
  FOR guru_id IN SELECT DISTINCT r.tenant_id FROM reviews r WHERE r.person_id = NEW.user_id ORDER BY 1 LOOP
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    UPDATE reviews r SET body = '', private_note = '', address_hash = NULL
     WHERE r.tenant_id = guru_id AND r.person_id = NEW.user_id AND r.side = 'person';
    DELETE FROM reviews r WHERE r.tenant_id = guru_id AND r.person_id = NEW.user_id AND r.side = 'guru';
  END LOOP;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_reviews AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_reviews();
