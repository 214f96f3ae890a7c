"""Post covers."""

from __future__ import annotations

from alembic import op

from porchlight.db.migrations import run_sql

revision = "0130"
down_revision = "0129"
branch_labels = None
depends_on = None

# Stored posts get what a save computes from now on: the first uploaded picture is the cover, and an excerpt that was
# generated leaves out headings, tables and code. PostgreSQL's expressions are lazy if their first quantifier is.
TABLES = r"""
ALTER TABLE posts
    ADD COLUMN cover_id uuid,
    ADD COLUMN cover_alt text NOT NULL DEFAULT '',
    ADD CONSTRAINT fk_posts_tenant_id_cover_id FOREIGN KEY (tenant_id, cover_id)
        REFERENCES site_images (tenant_id, id) ON DELETE SET NULL (cover_id),
    NO FORCE ROW LEVEL SECURITY;
ALTER TABLE site_images NO FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pg_temp.plain(html text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(regexp_replace(replace(replace(replace(replace(replace(regexp_replace(html, '<[^>]*>', '', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&nbsp;', ' '), '&amp;', '&'), '\s+', ' ', 'g'))
$$;
CREATE FUNCTION pg_temp.excerpt(html text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT btrim(left(pg_temp.plain(html), 150))
$$;
CREATE FUNCTION pg_temp.sentences(html text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(html, '<(h2|h3|h4|pre|table)[^>]*?>.*?</\1>', ' ', 'g')
$$;
UPDATE posts SET excerpt = pg_temp.excerpt(pg_temp.sentences(content_html))
 WHERE content_html ~ '<(h2|h3|h4|pre|table)' AND excerpt = pg_temp.excerpt(content_html)
   AND pg_temp.plain(pg_temp.sentences(content_html)) <> '';
UPDATE posts p SET cover_id = i.id, cover_alt = pg_temp.plain(coalesce(substring(c.tag FROM 'alt="([^"]*)"'), ''))
  FROM posts o CROSS JOIN LATERAL (
         SELECT substring(o.content_html FROM '<img [^>]*?src="/images/[0-9a-f-]{36}\.webp"[^>]*?>') AS tag) c
  JOIN site_images i ON i.tenant_id = o.tenant_id AND i.id::text = substring(c.tag FROM '/images/([0-9a-f-]{36})\.webp')
 WHERE p.tenant_id = o.tenant_id AND p.id = o.id;
DROP FUNCTION pg_temp.sentences(text), pg_temp.excerpt(text), pg_temp.plain(text);

ALTER TABLE posts FORCE ROW LEVEL SECURITY;
ALTER TABLE site_images FORCE ROW LEVEL SECURITY;
"""


def upgrade() -> None:
    """Change the tables."""
    run_sql(op.get_bind(), TABLES)


def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
