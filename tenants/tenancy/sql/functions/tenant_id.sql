-- Return the current tenant, which unit_of_work sets for the transaction, or NULL.
--
-- Called by: every policy of a tenant's table.
CREATE OR REPLACE FUNCTION app.tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.tenant_id', true), '')::uuid;
