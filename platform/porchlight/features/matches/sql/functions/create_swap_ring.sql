-- Propose a swap ring to its three members and start the job that informs them. `members` and the skills that they
-- teach are in the order of the ring. Returns false if the same ring was proposed before.
-- The function restores the user that was set before.
--
-- Called by: matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table. The owner role may add only
-- the membership of the user that is set.
CREATE OR REPLACE FUNCTION app.create_swap_ring(new_ring_id uuid, members_digest bytea, shared_bits integer,
                                                members uuid[], skills text[]) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
BEGIN
  PERFORM app.running_job('matches:find_swap_rings');
  INSERT INTO swap_rings (id, digest, availability_bits) VALUES (new_ring_id, members_digest, shared_bits)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  FOR number IN 1..3 LOOP
    PERFORM set_config('app.user_id', members[number]::text, true);
    INSERT INTO swap_ring_members (user_id, ring_id, place, teaches)
    VALUES (members[number], new_ring_id, number - 1, skills[number]);
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
  PERFORM app.enqueue('matches:notify_members', jsonb_build_object('ring_id', new_ring_id), NULL);
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.create_swap_ring(uuid, bytea, integer, uuid[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_swap_ring(uuid, bytea, integer, uuid[], text[]) TO porchlight_app, porchlight_overseer;
