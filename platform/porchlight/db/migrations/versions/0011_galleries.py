"""Let gurus show a hero picture, a gallery, and pictures of each service."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

# Images that exist have no preview: their place is filled with a plain surface until they have loaded.
TABLES = """
ALTER TABLE site_images ADD COLUMN preview text NOT NULL DEFAULT '';
ALTER TABLE site_images ADD CONSTRAINT ck_site_images_preview CHECK (preview ~ '^([0-9a-f]{36})?$');

CREATE TABLE gallery_pictures (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    place text NOT NULL,
    service_id uuid,
    position integer NOT NULL,
    image_id uuid NOT NULL,
    alt text NOT NULL,
    focus_x smallint NOT NULL DEFAULT 50,
    focus_y smallint NOT NULL DEFAULT 50,
    CONSTRAINT pk_gallery_pictures PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_gallery_pictures_tenant_id_place_service_id_position
        UNIQUE NULLS NOT DISTINCT (tenant_id, place, service_id, position),
    CONSTRAINT fk_gallery_pictures_tenant_id FOREIGN KEY (tenant_id) REFERENCES gurus (id) ON DELETE CASCADE,
    CONSTRAINT fk_gallery_pictures_tenant_id_image_id FOREIGN KEY (tenant_id, image_id)
        REFERENCES site_images (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_gallery_pictures_tenant_id_service_id FOREIGN KEY (tenant_id, service_id)
        REFERENCES services (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT ck_gallery_pictures_place CHECK (place IN ('hero', 'gallery', 'service')),
    CONSTRAINT ck_gallery_pictures_service_id CHECK ((place = 'service') = (service_id IS NOT NULL)),
    CONSTRAINT ck_gallery_pictures_focus CHECK (focus_x BETWEEN 0 AND 100 AND focus_y BETWEEN 0 AND 100)
);
CREATE INDEX ix_gallery_pictures_tenant_id_image_id ON gallery_pictures (tenant_id, image_id);
CREATE INDEX ix_gallery_pictures_tenant_id_service_id ON gallery_pictures (tenant_id, service_id);
ALTER TABLE gallery_pictures ENABLE ROW LEVEL SECURITY;
ALTER TABLE gallery_pictures FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gallery_pictures TO porchlight_app USING (tenant_id = app.tenant_id())
    WITH CHECK (tenant_id = app.tenant_id());
CREATE POLICY overseer ON gallery_pictures TO porchlight_overseer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON gallery_pictures TO porchlight_app, porchlight_overseer;
"""


def upgrade() -> None:
    """Change the tables, functions and triggers."""
    run_sql(op.get_bind(), TABLES)
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
