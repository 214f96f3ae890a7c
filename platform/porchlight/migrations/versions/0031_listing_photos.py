"""Photos of skill listings, and what a card shows of a listing beside what search finds."""

from __future__ import annotations

from alembic import op

from tenants.rls import fence
from tenants.roles import APP, OVERSEER

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

PHOTOS = """
CREATE TABLE listing_photos (
    user_id uuid NOT NULL,
    offer_id uuid NOT NULL,
    id uuid NOT NULL CONSTRAINT uq_listing_photos_id UNIQUE,
    position smallint NOT NULL,
    alt text NOT NULL DEFAULT '',
    width smallint NOT NULL,
    height smallint NOT NULL,
    body bytea NOT NULL,
    small bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_listing_photos PRIMARY KEY (user_id, offer_id, id),
    CONSTRAINT fk_listing_photos_offer FOREIGN KEY (user_id, offer_id) REFERENCES skill_offers (user_id, id)
      ON DELETE CASCADE
);
ALTER TABLE listing_photos ALTER COLUMN body SET STORAGE EXTERNAL, ALTER COLUMN small SET STORAGE EXTERNAL;
"""

# What anybody may see, and what its owner alone (`shown` is false): of a listing that is hidden, by staff or by its
# neighbour. What a listing's page shows is as before, with its photos.
FUNCTIONS = """
CREATE FUNCTION app.listing_photo(wanted uuid, little boolean) RETURNS TABLE (body bytea, shown boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN little THEN f.small ELSE f.body END, f.shown
    FROM (SELECT p.*, o.visible AND u.status = 'active' AS shown FROM listing_photos p
            JOIN skill_offers o ON o.user_id = p.user_id AND o.id = p.offer_id
            JOIN users u ON u.user_id = p.user_id WHERE p.id = wanted) f
   WHERE f.shown OR f.user_id = app.uid()
$$;

CREATE FUNCTION app.listing_cards(wanted uuid[])
RETURNS TABLE (id uuid, title text, details text, photo_id uuid, alt text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.title, o.details, first.id, first.alt
    FROM unnest(wanted) asked (id) JOIN skill_offers o ON o.id = asked.id
    LEFT JOIN LATERAL (SELECT p.id, p.alt FROM listing_photos p WHERE p.user_id = o.user_id AND p.offer_id = o.id
                        ORDER BY p.position, p.id LIMIT 1) first ON true
   WHERE o.visible
$$;
"""

PAGE = """
CREATE OR REPLACE FUNCTION app.skill_listing(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', o.id, 'title', o.title, 'level', o.level, 'details', o.details, 'formats', o.formats,
           'terms', o.terms, 'price_cents', o.price_cents, 'currency', o.currency, 'radius_km', o.radius_km,
           'days', o.days, 'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
           'photo_url', p.photo_url, 'bio', p.bio, 'languages', p.languages,
           'city', CASE WHEN p.shows_location THEN w.city ELSE '' END{photos})
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id JOIN users u ON u.user_id = o.user_id
    LEFT JOIN whereabouts w ON w.user_id = o.user_id
   WHERE o.id = wanted AND o.visible AND u.status = 'active'
$$;
"""
SHOWN = """,
           'photos', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'alt', f.alt, 'width', f.width,
                                                                   'height', f.height) ORDER BY f.position, f.id), '[]')
                        FROM listing_photos f WHERE f.user_id = o.user_id AND f.offer_id = o.id)"""

NEW = ("app.listing_photo(uuid, boolean)", "app.listing_cards(uuid[])")


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(PHOTOS)
    run(fence("listing_photos", key="user_id", setting="uid", directory=True))
    run(FUNCTIONS)
    run(PAGE.replace("{photos}", SHOWN))
    for function in NEW:
        run(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run(f"GRANT EXECUTE ON FUNCTION {function} TO {APP}, {OVERSEER}")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run(PAGE.replace("{photos}", ""))
    for function in NEW:
        run(f"DROP FUNCTION {function}")
    run("DROP TABLE listing_photos")
