"""Name the numbers of suggestions, phrases and teachers in Python: their functions take them as parameters."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0242"
down_revision = "0241"
branch_labels = None
depends_on = None

TABLES = """
DROP FUNCTION app.suggest_skills(text, integer);
DROP FUNCTION app.lookup_phrase(text);
DROP FUNCTION app.similar_phrases(text, text);
DROP FUNCTION app.similar_to_search(integer, text);
DROP FUNCTION app.nearest_phrases(text, text);
DROP FUNCTION app.teaching_gurus(text, text, text[], integer);
DROP FUNCTION app.teaching_neighbors(text, integer);
DROP FUNCTION app.subject_phrases(text);
"""


def upgrade() -> None:
    """Replace the functions."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
