-- Return the postings of a batch in order, each with the digest that app.post gives it.
--
-- Called by: app.post_many.
CREATE OR REPLACE FUNCTION app.ledger_postings(postings jsonb)
RETURNS TABLE (number bigint, id uuid, event text, subject_kind text, subject_id text, debits uuid[], credits uuid[],
               amounts bigint[], stripe_object text, digest bytea)
LANGUAGE sql STABLE AS $$
  SELECT p.number, p.id, p.event, p.subject_kind, p.subject_id, p.debits, p.credits, p.amounts, p.stripe_object,
         sha256(convert_to(concat_ws('|', p.event, p.debits, p.credits, p.amounts, p.stripe_object), 'UTF8'))
    FROM ROWS FROM (jsonb_to_recordset(postings) AS (
      id uuid, event text, subject_kind text, subject_id text, debits uuid[], credits uuid[], amounts bigint[],
      stripe_object text)) WITH ORDINALITY
      p (id, event, subject_kind, subject_id, debits, credits, amounts, stripe_object, number);
$$;
REVOKE ALL ON FUNCTION app.ledger_postings(jsonb) FROM PUBLIC;
