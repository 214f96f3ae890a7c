"""Find the listings in a language by an index."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0174"
down_revision = "0173"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE skill_offer_languages (
    offer_id uuid NOT NULL,
    language text NOT NULL,
    phrase_id integer NOT NULL,
    tile integer NOT NULL,
    CONSTRAINT pk_skill_offer_languages PRIMARY KEY (offer_id, language),
    CONSTRAINT fk_skill_offer_languages_offer_id FOREIGN KEY (offer_id) REFERENCES skill_offers (id) ON DELETE CASCADE
);
CREATE INDEX ix_skill_offer_languages_near ON skill_offer_languages (phrase_id, language, tile);
GRANT SELECT ON skill_offer_languages TO porchlight_overseer;
"""
ROWS = """
INSERT INTO skill_offer_languages (offer_id, language, phrase_id, tile)
SELECT DISTINCT o.id, app.normalize_text(l), o.phrase_id, o.tile
  FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id CROSS JOIN unnest(p.languages) l WHERE o.visible
ON CONFLICT DO NOTHING;
ANALYZE skill_offer_languages;
"""


def upgrade() -> None:
    """Add the table, its triggers and its rows, and change the search."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
    run_sql(op.get_bind(), ROWS)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
