-- bounded teachers and statements

-- file: functions/own_ledger_lines.sql
-- Return the newest lines of the current user's account of a kind: only those with a lower `seq` than `before`, if that is
-- given. `amount` is negative for debits; `counterpart` is the kind on the other side. The numbers of an account have no
-- gaps: its oldest line has seq 1.
--
-- Called by: console and app.own_ledger_statement.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_lines(kind text, before bigint, max_lines integer)
RETURNS TABLE (seq bigint, at timestamptz, event text, subject_kind text, subject_id text, counterpart text,
               amount bigint, balance_after bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  account uuid;
  below bigint := coalesce(own_ledger_lines.before, 9223372036854775807);
BEGIN
  SELECT a.id INTO account FROM ledger_accounts a
   WHERE a.user_id = app.user_id() AND a.kind = own_ledger_lines.kind;
  RETURN QUERY
    SELECT l.seq, t.at, t.event, t.subject_kind, t.subject_id, l.counterpart, l.amount, l.balance_after
      FROM ((SELECT d.debit_seq, d.credit_kind, -d.amount, d.debit_balance_after, d.transaction_id
               FROM ledger_transfers d WHERE d.debit_account = account AND d.debit_seq < below
              ORDER BY d.debit_seq DESC LIMIT max_lines)
            UNION ALL
            (SELECT c.credit_seq, c.debit_kind, c.amount, c.credit_balance_after, c.transaction_id
               FROM ledger_transfers c WHERE c.credit_account = account AND c.credit_seq < below
              ORDER BY c.credit_seq DESC LIMIT max_lines)) l (seq, counterpart, amount, balance_after, transaction_id)
      JOIN ledger_transactions t ON t.id = l.transaction_id
     ORDER BY l.seq DESC LIMIT max_lines;
END $$;
REVOKE ALL ON FUNCTION app.own_ledger_lines(text, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_lines(text, bigint, integer) TO porchlight_app;

-- file: functions/own_ledger_statement.sql
-- Return at most 50 lines of the current user's account of a kind, the newest first (see app.own_ledger_lines).
--
-- Called by: console, payouts.
-- SECURITY DEFINER: the app role cannot read the ledger. The owner is the user of the transaction.
CREATE OR REPLACE FUNCTION app.own_ledger_statement(kind text, before bigint DEFAULT NULL)
RETURNS TABLE (seq bigint, at timestamptz, event text, subject_kind text, subject_id text, counterpart text,
               amount bigint, balance_after bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM app.own_ledger_lines(kind, before, 50)
$$;
REVOKE ALL ON FUNCTION app.own_ledger_statement(text, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_ledger_statement(text, bigint) TO porchlight_app;

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Premium Angels come first among those who fit equally. Of a phrase that very many
-- gurus have, 500 are read.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT f.phrase_id FROM app.subject_phrases(subject) f
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the other phrases have less.
    (SELECT s.item::uuid AS guru_id, NULL::text AS handle, sum(s.weight) AS fit FROM fitting f CROSS JOIN LATERAL (
       SELECT s.item, s.weight FROM search_entry_phrases s
        WHERE s.phrase_id = f.phrase_id AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT 500) s
      GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT max_results)
     UNION ALL
    SELECT g.id, NULL, 1 FROM gurus g WHERE g.label = guru_label
     UNION ALL
    SELECT m.tenant_id, p.handle, 1 FROM profiles p
      JOIN users u ON u.user_id = p.user_id JOIN memberships m ON m.user_id = p.user_id
     WHERE p.handle = ANY (angel_handles) AND p.is_public AND u.status = 'active'
       AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
  )
  SELECT g.id, g.label, g.character, g.tagline, g.city, g.emoji, w.handle,
         ARRAY(SELECT k.skill FROM unnest(g.primary_skills) WITH ORDINALITY k (skill, place)
                 JOIN phrases p ON p.words = app.normalize_text(k.skill)
                 JOIN search_entry_phrases s ON s.phrase_id = p.id AND s.kind = 'guru' AND s.item = g.id::text
                WHERE p.id IN (SELECT f.phrase_id FROM fitting f) ORDER BY k.place)
    FROM wanted w JOIN gurus g ON g.id = w.guru_id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id AND m.user_id = app.user_id())
   ORDER BY w.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                 WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
            g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer) TO porchlight_app, porchlight_overseer;
