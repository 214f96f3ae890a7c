-- Return the key of one side of a pair of neighbors, whose account says how much more that side gave than it got.
--
-- Called by: app.enter_exchange and app.own_swaps.
CREATE OR REPLACE FUNCTION app.swap_side(person uuid, other uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE AS $$ SELECT md5(concat_ws('/', 'swap', person, other))::uuid $$;
REVOKE ALL ON FUNCTION app.swap_side(uuid, uuid) FROM PUBLIC;
