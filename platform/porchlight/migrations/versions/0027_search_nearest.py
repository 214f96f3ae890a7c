"""Search finds what is nearest, however far; "what if" names only what neighbours call their skills."""

from __future__ import annotations

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

# As before, but that the question's own phrase, which nobody offers, no longer outweighs what it means, and that the
# worker alone decides from where on a phrase has nothing to do with a question. Spelling speaks loudly as long as the
# question's meaning is not read; afterwards only where it is nearly the same.
SEARCH = """
CREATE OR REPLACE FUNCTION app.search(asked integer, said text, kinds text[], here_lat smallint,
                                      here_lon smallint, within real, most_cents bigint, format text,
                                      language text, weekday integer, since timestamptz, most integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, fit real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  plain text := app.folded(said);
  read boolean := EXISTS (SELECT FROM phrases p WHERE p.id = asked AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN here_lat / 25 * 1000 + here_lon / 20 END;
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', '0.2', true);
  PERFORM set_config('pg_trgm.word_similarity_threshold', '0.25', true);
  RETURN QUERY
  WITH spelled AS MATERIALIZED (
    SELECT p.id, CASE WHEN p.words = plain THEN 1.0
                      ELSE greatest(similarity(p.words, plain), 0.95 * word_similarity(plain, p.words)) END AS alike
      FROM phrases p WHERE p.in_use AND (p.words % plain OR plain <% p.words) ORDER BY 2 DESC LIMIT 40
  ), meant AS MATERIALIZED (
    SELECT n.other_id, max(n.fit)::real AS fit FROM (
      SELECT r.other_id, r.fit FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = asked
      UNION ALL
      SELECT s.id, CASE WHEN s.alike = 1.0 THEN 0.97 WHEN read THEN 3.0 * (s.alike - 0.7) ELSE 0.9 * s.alike END
        FROM spelled s) n
     WHERE n.fit > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 40
  ), likely AS (
    SELECT * FROM meant m WHERE m.fit >= 0.35 * (SELECT max(best.fit) FROM meant best)
     UNION (SELECT * FROM meant m WHERE read ORDER BY m.fit DESC LIMIT 10)
  ), offers AS (
    SELECT o.*, m.fit AS said_fit FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM (SELECT tile + 1000 * a + b AS spot FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                         WHERE tile IS NOT NULL ORDER BY abs(a) + abs(b)) t
         JOIN skill_offers o ON o.tile = t.spot
        WHERE o.phrase_id = m.other_id AND o.visible LIMIT 60)
      UNION
      (SELECT o.* FROM skill_offers o WHERE o.phrase_id = m.other_id AND o.visible
          AND (tile IS NULL OR within IS NULL) LIMIT 40)) o
     WHERE 'offer' = ANY (kinds)
       AND (format IS NULL OR format = ANY (o.formats))
       AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
       AND (most_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= most_cents)
       AND (since IS NULL OR o.created_at > since)
  ), found AS (
    SELECT 'offer' AS kind, o.id::text AS item, o.title, o.details AS summary, '' AS label, '' AS slug,
           o.user_id, o.price_cents::bigint, o.terms, o.formats, NULL::text AS city, o.cell_lat, o.cell_lon,
           o.said_fit AS fit FROM offers o
    UNION ALL
    SELECT e.kind, e.item, e.title, e.summary, e.label, e.slug, NULL, e.price_cents, NULL, NULL, e.city,
           e.cell_lat, e.cell_lon, max(m.fit * s.weight)::real
      FROM likely m JOIN search_entry_phrases s ON s.phrase_id = m.other_id
      JOIN search_entries e ON e.kind = s.kind AND e.item = s.item
     WHERE e.kind = ANY (kinds) AND format IS NULL AND weekday IS NULL AND language IS NULL
       AND (most_cents IS NULL OR e.price_cents <= most_cents) AND (since IS NULL OR e.gathered_at > since)
     GROUP BY e.kind, e.item
  ), placed AS (
    SELECT f.*, CASE WHEN f.cell_lat >= 0 AND here_lat >= 0
                     THEN app.cell_km(f.cell_lat, f.cell_lon, here_lat, here_lon) END AS km FROM found f
  ), near AS (
    SELECT * FROM placed p
     WHERE within IS NULL OR p.km <= within OR (format = 'online' AND 'online' = ANY (p.formats))
     ORDER BY p.fit * (0.85 + 0.15 * greatest(0, 1 - coalesce(p.km, 40) / 40.0)) DESC, p.item LIMIT most * 2
  )
  SELECT n.kind, n.item, n.title, left(n.summary, 240), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.fit::real
    FROM near n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN whereabouts w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL
      OR (u.status = 'active' AND (language IS NULL OR EXISTS (
           SELECT FROM unnest(p.languages) l WHERE app.folded(l) = app.folded(language))))
   ORDER BY n.fit * (0.85 + 0.15 * greatest(0, 1 - coalesce(n.km, 40) / 40.0)) DESC, n.item LIMIT most;
END $$;
"""


# Only what some neighbour calls a skill of theirs is a skill to offer; other phrases lead to pages.
WHAT_IF = """
CREATE OR REPLACE FUNCTION app.skill_to_offer(me uuid, most integer) RETURNS TABLE (skill text, people bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT ARRAY(SELECT h.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b) AS tiles
      FROM whereabouts h WHERE h.user_id = me AND h.tile >= 0
  ), wanted AS MATERIALIZED (
    SELECT w.phrase_id, count(*) AS people FROM skill_wants w, here h
     WHERE w.visible AND w.tile = ANY (h.tiles) AND w.user_id <> me
       AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id
                        WHERE o.user_id = me AND r.phrase_id = w.phrase_id AND r.fit >= 0.5)
     GROUP BY 1
  ), likely AS (
    SELECT r.other_id, sum(d.people * r.fit) AS served
      FROM wanted d JOIN phrase_relations r ON r.phrase_id = d.phrase_id
     WHERE r.fit >= 0.5
       AND (EXISTS (SELECT FROM skill_wants w WHERE w.phrase_id = r.other_id AND w.visible)
            OR EXISTS (SELECT FROM skill_offers o WHERE o.phrase_id = r.other_id AND o.visible))
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
  ), counted AS (
    SELECT l.other_id, l.served, (SELECT count(DISTINCT w.user_id) FROM skill_wants w, here h, phrase_relations r
                         WHERE r.other_id = l.other_id AND r.fit >= 0.5 AND w.phrase_id = r.phrase_id AND w.visible
                           AND w.tile = ANY (h.tiles) AND w.user_id <> me
                           AND w.phrase_id IN (SELECT d.phrase_id FROM wanted d)) AS people
      FROM likely l WHERE l.other_id NOT IN (SELECT o.phrase_id FROM skill_offers o WHERE o.user_id = me)
  )
  SELECT coalesce((SELECT o.title FROM skill_offers o WHERE o.phrase_id = c.other_id AND o.visible LIMIT 1),
                  (SELECT w.title FROM skill_wants w WHERE w.phrase_id = c.other_id AND w.visible LIMIT 1), p.words),
         c.people
    FROM counted c JOIN phrases p ON p.id = c.other_id WHERE c.people > 0
   ORDER BY c.people DESC, c.served DESC, 1 LIMIT most
$$;
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(SEARCH.replace("%", "%%"))
    op.get_bind().exec_driver_sql(WHAT_IF)


def downgrade() -> None:
    """The release before can live with this one's function."""
