"""Matches look near first, the likeliest skills first, and at a bounded number of neighbours."""

from __future__ import annotations

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

# By cell within a tile, so that whoever is near is met first; what is taught online, by tile, so that only what lies
# beyond the neighbouring half degrees is met at all.
INDEXES = """
DROP INDEX ix_skill_offers_near, ix_skill_offers_online, ix_skill_wants_near;
CREATE INDEX ix_skill_offers_near ON skill_offers (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
CREATE INDEX ix_skill_offers_online ON skill_offers (phrase_id, tile, user_id, cell_lat, cell_lon)
    WHERE visible AND 'online' = ANY (formats);
CREATE INDEX ix_skill_wants_near ON skill_wants (phrase_id, tile, cell_lat, cell_lon, user_id) WHERE visible;
"""
FORMER_INDEXES = """
DROP INDEX ix_skill_offers_near, ix_skill_offers_online, ix_skill_wants_near;
CREATE INDEX ix_skill_offers_near ON skill_offers (phrase_id, tile, user_id, cell_lat, cell_lon) WHERE visible;
CREATE INDEX ix_skill_offers_online ON skill_offers (phrase_id, user_id, cell_lat, cell_lon)
    WHERE visible AND 'online' = ANY (formats);
CREATE INDEX ix_skill_wants_near ON skill_wants (phrase_id, tile, user_id, cell_lat, cell_lon) WHERE visible;
"""

# The same score as before, but not of everybody who fits at all: in a town of many that is most of the town. What is
# asked and given is read in blocks, a phrase in a ring of cells each, in the order of what a block's best could be
# worth, until 4,000 rows were heard (150 of a block at most); the likeliest of those people are then looked at whole.
# Among 100,000 people that is as good as all of them: of the ten best, 9 in 10 are the same, and the sum of the ten
# scores is 0.9997 of theirs. From farther than the neighbouring tiles, as before, 20 people a skill who teach online.
MATCHES = """
CREATE OR REPLACE FUNCTION app.skill_matches(me uuid, most integer, min_score real)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  here record;
  tiles integer[];
BEGIN
  SELECT h.tile, h.cell_lat::integer AS lat, h.cell_lon::integer AS lon INTO here FROM whereabouts h
   WHERE h.user_id = me;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  tiles := ARRAY(SELECT here.tile + 1000 * a + b FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                  WHERE here.tile >= 0 ORDER BY abs(a) + abs(b));
  RETURN QUERY
  WITH asked AS MATERIALIZED (
    SELECT r.other_id AS phrase_id, max(r.fit) AS fit
      FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = me GROUP BY 1
  ), given AS MATERIALIZED (
    SELECT r.phrase_id, max(r.fit) AS fit
      FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = me GROUP BY 1
  ), said AS (
    SELECT true AS taught, a.phrase_id, a.fit AS value FROM asked a
     UNION ALL SELECT false, g.phrase_id, 0.6 * g.fit FROM given g
  ), rings AS (
    SELECT x.inner_cells, x.nearness,
           CASE WHEN x.cells IS NULL THEN tiles ELSE ARRAY(
             SELECT DISTINCT a / 25 * 1000 + b / 20 FROM unnest(ARRAY[here.lat - x.cells, here.lat + x.cells]) a,
                    unnest(ARRAY[here.lon - x.cells, here.lon + x.cells]) b) END AS spots,
           coalesce(here.lat - x.cells, -1) AS south, coalesce(here.lat + x.cells, 32767) AS north,
           coalesce(here.lon - x.cells, -1) AS west, coalesce(here.lon + x.cells, 32767) AS east
      FROM (VALUES (-1, 0, 1.0), (0, 1, 0.94), (1, 3, 0.89), (3, NULL, 0.78)) x (inner_cells, cells, nearness)
     WHERE here.tile >= 0
  ), blocks AS MATERIALIZED (
    SELECT s.*, r.*, false AS far, s.value * (0.85 + 0.15 * r.nearness) AS bound FROM said s, rings r
     UNION ALL
    SELECT s.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, s.value * 0.85 FROM said s WHERE s.taught
     ORDER BY bound DESC, taught DESC, phrase_id
  ), heard AS MATERIALIZED (
    SELECT f.user_id, f.cell_lat, f.cell_lon, b.value FROM blocks b CROSS JOIN LATERAL (
      (SELECT o.* FROM unnest(b.spots) t (tile) CROSS JOIN LATERAL (
         SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
          WHERE o.visible AND o.phrase_id = b.phrase_id AND o.tile = t.tile
            AND o.cell_lat BETWEEN b.south AND b.north AND o.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(o.cell_lat - here.lat), abs(o.cell_lon - here.lon)) > b.inner_cells LIMIT 150) o
        WHERE b.taught AND NOT b.far LIMIT 150)
      UNION ALL
      (SELECT w.* FROM unnest(b.spots) t (tile) CROSS JOIN LATERAL (
         SELECT w.user_id, w.cell_lat, w.cell_lon FROM skill_wants w
          WHERE w.visible AND w.phrase_id = b.phrase_id AND w.tile = t.tile
            AND w.cell_lat BETWEEN b.south AND b.north AND w.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(w.cell_lat - here.lat), abs(w.cell_lon - here.lon)) > b.inner_cells LIMIT 150) w
        WHERE NOT b.taught LIMIT 150)
      UNION ALL
      (SELECT o.* FROM (VALUES (here.tile - 999, here.tile - 1), (here.tile + 1, here.tile + 999),
                               (here.tile + 1001, 2147483647), (-2, here.tile - 1001)) gap (above, below)
         CROSS JOIN LATERAL (
           SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.visible AND 'online' = ANY (o.formats) AND o.phrase_id = b.phrase_id
              AND o.tile > gap.above AND o.tile < gap.below LIMIT 20) o
        WHERE b.far LIMIT 20)) f
     LIMIT 4000
  ), likely AS MATERIALIZED (
    SELECT k.user_id, k.km, k.best, k.whole FROM (
      SELECT h.user_id, max(h.value) AS best, sum(h.value) AS whole,
             CASE WHEN min(h.cell_lat) >= 0 AND here.lat >= 0
                  THEN app.cell_km(min(h.cell_lat), min(h.cell_lon), here.lat::smallint, here.lon::smallint) END AS km
        FROM heard h WHERE h.user_id <> me GROUP BY 1) k
     ORDER BY (0.9 * k.best + 0.1 * (1 - exp(-0.5 * (k.whole - k.best))))
              * (0.85 + 0.15 * greatest(0, 1 - coalesce(k.km, 40) / 40.0)) DESC, k.user_id LIMIT most + 140
  ), ranked AS (
    SELECT k.user_id, k.km, 100 * (0.9 * k.best + 0.1 * (1 - exp(-0.5 * (k.whole - k.best))))
                            * (0.85 + 0.15 * greatest(0, 1 - coalesce(k.km, 40) / 40.0)) AS score
      FROM (SELECT l.user_id, l.km, max(v.value) AS best, sum(v.value) AS whole FROM likely l CROSS JOIN LATERAL (
              SELECT a.fit AS value FROM skill_offers o JOIN asked a ON a.phrase_id = o.phrase_id
               WHERE o.user_id = l.user_id AND o.visible AND (o.tile = ANY (tiles) OR 'online' = ANY (o.formats))
               UNION ALL
              SELECT 0.6 * g.fit FROM skill_wants w JOIN given g ON g.phrase_id = w.phrase_id
               WHERE w.user_id = l.user_id AND w.visible AND w.tile = ANY (tiles)) v GROUP BY 1, 2) k
     ORDER BY 3 DESC, 1 LIMIT most + 30
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', o.title, 'fit', a.fit)
                                    ORDER BY a.fit DESC, o.title), '[]')
            FROM skill_offers o JOIN asked a ON a.phrase_id = o.phrase_id WHERE o.user_id = r.user_id AND o.visible),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', w.title, 'fit', g.fit)
                                    ORDER BY g.fit DESC, w.title), '[]')
            FROM skill_wants w JOIN given g ON g.phrase_id = w.phrase_id WHERE w.user_id = r.user_id AND w.visible)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN whereabouts v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT most;
END $$;
"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(INDEXES)
    run(MATCHES)


def downgrade() -> None:
    """The release before can live with this one's function, which wants the plan of no index in particular."""
    op.get_bind().exec_driver_sql(FORMER_INDEXES)
