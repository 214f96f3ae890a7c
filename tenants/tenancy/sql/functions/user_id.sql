-- Return the current user, whom unit_of_work sets for the transaction, or NULL.
--
-- Called by: every policy of a user's table.
CREATE OR REPLACE FUNCTION app.user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.user_id', true), '')::uuid;
