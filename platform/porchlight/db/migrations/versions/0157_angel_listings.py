"""Keep the public list of angels, and their numbers per place, in tables of their own."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0157"
down_revision = "0156"
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE angel_listings (
    service_id text NOT NULL,
    angel_id uuid NOT NULL,
    city text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    rank double precision NOT NULL,
    place text NOT NULL,
    rate_cents integer NOT NULL,
    ratings integer NOT NULL,
    rating_sum integer NOT NULL,
    CONSTRAINT pk_angel_listings PRIMARY KEY (service_id, angel_id),
    CONSTRAINT fk_angel_listings_angel_id_service_id FOREIGN KEY (angel_id, service_id)
        REFERENCES angels (user_id, service_id) ON DELETE CASCADE
);
CREATE INDEX ix_angel_listings_angel_id ON angel_listings (angel_id, service_id);
CREATE INDEX ix_angel_listings_rank ON angel_listings (service_id, rank, place);
CREATE INDEX ix_angel_listings_city ON angel_listings (service_id, lower(city), rank, place);
CREATE INDEX ix_angel_listings_cell ON angel_listings (service_id, latitude, longitude, rank, place);
CREATE TABLE angel_cells (
    service_id text NOT NULL,
    city text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    angels integer NOT NULL,
    rate_sum bigint NOT NULL,
    ratings integer NOT NULL,
    rating_sum integer NOT NULL,
    CONSTRAINT pk_angel_cells PRIMARY KEY (service_id, city, latitude, longitude)
);
GRANT SELECT ON angel_listings, angel_cells TO porchlight_overseer;
"""
LIST_ANGELS = """
INSERT INTO angel_listings (service_id, angel_id, city, latitude, longitude, rank, place, rate_cents, ratings,
                            rating_sum)
SELECT a.service_id, a.user_id, a.city, a.latitude, a.longitude, -app.angel_score(a.ratings, a.rating_sum),
       CASE WHEN u.listed_plan = 'premium-angel' THEN '0' ELSE '1' END || p.handle, a.rate_cents, a.ratings,
       a.rating_sum
  FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
 WHERE a.active AND p.is_public AND u.status = 'active'
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))
    run_sql(op.get_bind(), LIST_ANGELS)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
