-- Return the tenant on whose behalf the transaction acts, or NULL. Unlike app.tenant_id, which every visitor of a site
-- sets, it is set only by the console of the guru (after the owner check) and by jobs of the tenant.
--
-- Called by: the policies of tables with two parties.
CREATE OR REPLACE FUNCTION app.acting_tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.acting_tenant_id', true), '')::uuid;
