-- Store who takes part in bookings of the current user that need a waiver of a level, and who signs for each. `people`
-- is a list of {name, signer, signer_id, waiver_id, email, token}; without `signer_id`, the current user signs. People
-- who get a link are emailed about the first of the bookings. Bookings that have participants keep them.
--
-- Called by: bookings and app.book_party.
-- SECURITY DEFINER: the app role adds no participants itself, because they say which waiver covers whom.
CREATE OR REPLACE FUNCTION app.add_participants(ids uuid[], level text, people jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO participants (tenant_id, booking_id, number, person_id, name, signer, signer_id, waiver_id, email, token,
                            email_due)
  SELECT b.tenant_id, b.id, x.number, b.person_id, x.one ->> 'name', x.one ->> 'signer',
         coalesce((x.one ->> 'signer_id')::uuid, b.person_id), (x.one ->> 'waiver_id')::uuid,
         coalesce(x.one ->> 'email', ''), (x.one ->> 'token')::uuid,
         CASE WHEN x.one ->> 'email' <> '' AND b.id = ids[1] THEN app.now() END
    FROM bookings b CROSS JOIN jsonb_array_elements(people) WITH ORDINALITY x (one, number)
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.person_id = app.user_id()
     AND NOT EXISTS (SELECT FROM participants p WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id);
  UPDATE bookings b SET waiver_level = level
   WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.person_id = app.user_id();
  PERFORM app.cover_booking(b.id) FROM bookings b
    WHERE b.tenant_id = app.tenant_id() AND b.id = ANY (ids) AND b.person_id = app.user_id();
END $$;
REVOKE ALL ON FUNCTION app.add_participants(uuid[], text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.add_participants(uuid[], text, jsonb) TO porchlight_app, porchlight_overseer;
