"""The floor of spelling holds: a made-up word is not heard as every word that begins alike."""

from __future__ import annotations

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

# As before, but: below 0.45 only what is a few slips away is heard. (0.2 as real is more than 0.2, so that all of it
# was.) A swap of two letters counts as two edits, hence as many as two slips may make.
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
  long integer := length(plain);
  slips integer := CASE WHEN long < 4 THEN 0 WHEN long < 7 THEN 2 WHEN long < 10 THEN 3 ELSE 4 END;
  read boolean := EXISTS (SELECT FROM phrases p WHERE p.id = asked AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN here_lat / 25 * 1000 + here_lon / 20 END;
  rows integer := CASE WHEN within IS NULL OR format = 'online' THEN 1000
                       WHEN within > 25 THEN ceil(within / 55)::integer ELSE 0 END;
  heard_from real;
  spelled integer[];
  alike real[];
BEGIN
  FOREACH heard_from IN ARRAY
    CASE WHEN read THEN '{0.7}' WHEN long <= 10 THEN '{0.2}' ELSE '{0.45,0.2}' END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', heard_from::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (heard_from / 0.95)::text, true);
    SELECT array_agg(s.id), array_agg(s.alike) INTO spelled, alike FROM (
      SELECT p.id, p.words, CASE WHEN p.words = plain THEN 1.0
               ELSE greatest(similarity(p.words, plain), 0.95 * word_similarity(plain, p.words)) END::real AS alike
        FROM phrases p WHERE p.in_use AND (p.words % plain OR plain <% p.words) ORDER BY 3 DESC LIMIT 40) s
     WHERE s.alike >= 0.45
        OR least(levenshtein_less_equal(plain, s.words, slips),
                 levenshtein_less_equal(plain, left(s.words, long), slips)) <= slips;
    EXIT WHEN spelled IS NOT NULL;
  END LOOP;
  RETURN QUERY
  WITH meant AS MATERIALIZED (
    SELECT n.other_id, max(n.fit)::real AS fit FROM (
      SELECT r.other_id, r.fit FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = asked AND read
      UNION ALL
      SELECT s.id, CASE WHEN s.alike = 1.0 THEN 0.97 WHEN read THEN 3.0 * (s.alike - 0.7) ELSE 0.9 * s.alike END
        FROM unnest(spelled, alike) s (id, alike)) n
     WHERE n.fit > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 40
  ), likely AS (
    SELECT * FROM meant m WHERE m.fit >= 0.35 * (SELECT max(best.fit) FROM meant best)
     UNION (SELECT * FROM meant m WHERE read ORDER BY m.fit DESC LIMIT 10)
  ), offers AS (
    SELECT o.*, m.fit AS said_fit FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM (SELECT tile + 1000 * a + b AS spot FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                         WHERE tile IS NOT NULL ORDER BY abs(a) + abs(b)) t
         JOIN skill_offers o ON o.tile = t.spot
        WHERE o.phrase_id = m.other_id AND o.visible AND (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (most_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= most_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          AND (language IS NULL OR EXISTS (
                 SELECT FROM profiles p CROSS JOIN unnest(p.languages) l
                  WHERE p.user_id = o.user_id AND app.folded(l) = app.folded(language))) LIMIT 60)
      UNION ALL
      (SELECT o.* FROM (
         SELECT -2 AS above, 2147483647 AS below WHERE tile IS NULL
          UNION ALL SELECT g.above, g.below FROM (VALUES
            (tile - 999, tile - 1), (tile + 1, tile + 999), (tile + 1001, tile + 1000 * (rows + 1)),
            (tile - 1000 * (rows + 1), tile - 1001)
          ) g (above, below) WHERE tile IS NOT NULL AND rows > 0) gap
         CROSS JOIN LATERAL (SELECT o.* FROM skill_offers o
                              WHERE o.phrase_id = m.other_id AND o.visible AND o.tile > gap.above
                                AND o.tile < gap.below AND (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (most_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= most_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          AND (language IS NULL OR EXISTS (
                 SELECT FROM profiles p CROSS JOIN unnest(p.languages) l
                  WHERE p.user_id = o.user_id AND app.folded(l) = app.folded(language))) LIMIT 40) o LIMIT 40)) o
     WHERE 'offer' = ANY (kinds)
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
   WHERE n.user_id IS NULL OR u.status = 'active'
   ORDER BY n.fit * (0.85 + 0.15 * greatest(0, 1 - coalesce(n.km, 40) / 40.0)) DESC, n.item LIMIT most;
END $$;
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(SEARCH.replace("%", "%%"))


def downgrade() -> None:
    """The release before can live with this one's function."""
