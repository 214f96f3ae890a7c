"""Reading posts: published posts only, each list in one statement that names the tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sites.image_paths import MAX_WIDTH, image_path, source_set, thumbnail_path
from sites.posts.markdown import read_time
from tenants.db.pool import Database
from tenants.kit.errors import NotFound
from tenants.kit.pagination import encode_cursor, parse_cursor

FEATURED_POSTS = 3  # on the home page
RELATED_POSTS = 3
PAGE_SIZE = 12
MAX_PAGE_SIZE = 50
MAX_TAGS = 40  # in the list beside the blog

# The release before wrote no names.
_TAG_ROWS = "unnest(p.tags, p.tag_names) WITH ORDINALITY AS t (slug, name, place)"
_CARD = f"""
  'id', p.id, 'slug', p.slug, 'title', p.title, 'excerpt', p.excerpt, 'tags',
  (SELECT coalesce(json_agg(json_build_object('slug', t.slug, 'name', coalesce(t.name, t.slug)) ORDER BY t.place), '[]')
     FROM {_TAG_ROWS} WHERE t.slug IS NOT NULL),
  'publishedAt', to_char(p.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'views', coalesce(v.views, 0), 'words', p.words, 'coverId', p.cover_id, 'coverAlt', p.cover_alt, 'coverImage',
  (SELECT json_build_array(i.width, i.preview) FROM site_images i
    WHERE i.tenant_id = p.tenant_id AND i.id = p.cover_id)"""
_WHERE = """
 WHERE p.tenant_id = %(tenant)s AND p.status = 'published' AND p.published_at <= app.now()"""
# A scheduled post counts as changed when it is published.
_UPDATED = """
  'updatedAt', to_char(greatest(p.updated_at, p.published_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"""
_FROM = (
    """
  FROM posts p LEFT JOIN post_views v ON v.tenant_id = p.tenant_id AND v.post_id = p.id"""
    + _WHERE
)

# The newest posts as a JSON array: part of the home page's statement, which begins with VIEWS_SQL.
FEATURED_SQL = (
    "(SELECT coalesce(json_agg(f.card), '[]') FROM (SELECT json_build_object("
    + _CARD
    + ") AS card FROM posts p LEFT JOIN views v ON v.post_id = p.id"
    + _WHERE
    + f" ORDER BY p.published_at DESC, p.id DESC LIMIT {FEATURED_POSTS}) f)"
)

# A tag that posts call by different names has the name in the newest of them.
TAGS_SQL = f"""
(SELECT coalesce(json_agg(json_build_object('slug', u.slug, 'name', u.name, 'count', u.uses)
                          ORDER BY u.uses DESC, u.slug), '[]')
   FROM (SELECT t.slug, count(*) AS uses, (array_agg(coalesce(t.name, t.slug) ORDER BY p.published_at DESC))[1] AS name
           FROM posts p, {_TAG_ROWS}
          WHERE p.tenant_id = %(tenant)s AND p.status = 'published' AND p.published_at <= app.now()
            AND t.slug IS NOT NULL
          GROUP BY t.slug ORDER BY count(*) DESC, t.slug LIMIT {MAX_TAGS}) u)"""

# The time of the next scheduled post, or NULL. A page that shows posts is cached no longer than that: a post that comes
# out writes nothing, so no notification invalidates the cache.
DUE_SQL = """
(SELECT min(p.published_at) FROM posts p
  WHERE p.tenant_id = %(tenant)s AND p.status = 'published' AND p.published_at > app.now())"""

# Whether the site has published posts.
HAS_POSTS_SQL = """
EXISTS (SELECT FROM posts p
         WHERE p.tenant_id = %(tenant)s AND p.status = 'published' AND p.published_at <= app.now())"""

_LIST = (
    "SELECT json_build_object("
    + _CARD
    + ", 'content', CASE WHEN %(content)s THEN p.content_html END,"
    + _UPDATED
    + ") AS card, p.published_at, p.id"
    + _FROM
    + """ AND (%(tag)s::text IS NULL OR p.tags @> ARRAY[%(tag)s::text])
   AND (%(before)s::timestamptz IS NULL OR (p.published_at, p.id) < (%(before)s, %(before_id)s::uuid))
 ORDER BY p.published_at DESC, p.id DESC LIMIT %(limit)s"""
)

_ONE = (
    "SELECT json_build_object("
    + _CARD
    + ", 'content', p.content_html,"
    + _UPDATED
    + ") AS card, p.id"
    + _FROM
    + " AND p.slug = %(slug)s"
)

_RENAMED = "SELECT p.slug FROM posts p" + _WHERE + " AND p.old_slugs <> '{}' AND p.old_slugs @> ARRAY[%(slug)s::text]"

# The posts with the most tags in common come first, then the newest.
_RELATED = (
    "SELECT json_build_object("
    + _CARD
    + ")"
    + _FROM
    + f""" AND p.id <> %(id)s
 ORDER BY cardinality(ARRAY(SELECT unnest(p.tags) INTERSECT SELECT unnest(%(tags)s::text[]))) DESC,
          p.published_at DESC, p.id DESC LIMIT {RELATED_POSTS}"""
)

_TAGS = "SELECT " + TAGS_SQL + ", " + DUE_SQL

_INDEX = """
SELECT p.id, p.slug, p.title, p.excerpt, p.content_html AS html, p.published_at AS published,
       greatest(p.updated_at, p.published_at) AS updated, p.cover_id, i.size AS cover_size, p.tags, p.tag_names
  FROM posts p LEFT JOIN site_images i ON i.tenant_id = p.tenant_id AND i.id = p.cover_id
 WHERE p.tenant_id = %(tenant)s AND p.status = 'published' AND p.published_at <= app.now()
 ORDER BY p.published_at DESC, p.id DESC LIMIT %(limit)s"""

_ADDRESSES = """
SELECT p.slug, greatest(p.updated_at, p.published_at) AS updated FROM posts p
 WHERE p.tenant_id = %(tenant)s AND p.status = 'published' AND p.published_at <= app.now()
 ORDER BY p.published_at DESC, p.id DESC LIMIT %(limit)s"""


def card(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the JSON of the statements above to the API's form of a post."""
    post = dict(stored)
    post["readTime"] = read_time(post.pop("words"))
    cover_id, alt, image = post.pop("coverId"), post.pop("coverAlt"), post.pop("coverImage")
    post["cover"] = to_cover(UUID(cover_id), alt, *(image or ())) if cover_id else None
    return post


def to_cover(image_id: UUID, alt: str, width: int = MAX_WIDTH, preview: str = "") -> dict[str, str]:
    """Return a cover, `width` pixels wide, in the API's form (CoverResponse)."""
    return {
        "path": image_path(image_id),
        "thumbnail": thumbnail_path(image_id),
        "srcset": source_set(image_id, width),
        "alt": alt,
        "preview": preview,
    }


class PostAddress(NamedTuple):
    """A published post in the sitemap."""

    slug: str
    updated: datetime


class PostEntry(NamedTuple):
    """A published post in a feed. `cover_size` in bytes."""

    id: UUID
    slug: str
    title: str
    excerpt: str
    html: str
    published: datetime
    updated: datetime
    cover_id: UUID | None
    cover_size: int | None
    tags: list[str]
    tag_names: list[str]


class _ListedPost(NamedTuple):
    card: dict[str, Any]
    published_at: datetime
    id: UUID


class _OnePost(NamedTuple):
    card: dict[str, Any]
    id: UUID


class Page:
    """A page of posts: their cards (with content if requested) and the cursor of the next page."""

    def __init__(self, rows: Sequence[_ListedPost], limit: int) -> None:
        page = rows[:limit]
        self.posts = [card(row.card) for row in page]
        self.next_cursor = encode_cursor(page[-1].published_at, page[-1].id) if len(rows) > limit else None


async def posts(
    db: Database,
    tenant_id: UUID,
    *,
    tag: str | None,
    cursor: str | None,
    limit: int = PAGE_SIZE,
    content: bool = False,
) -> Page:
    """Return published posts, the newest first. Raise ValidationFailed for an invalid cursor."""
    before, before_id = parse_cursor(cursor)
    rows = await db.read(
        tenant_id,
        _LIST,
        {
            "tenant": tenant_id,
            "tag": tag,
            "before": before,
            "before_id": before_id,
            "limit": limit + 1,
            "content": content,
        },
        row=_ListedPost,
    )
    page = Page(rows, limit)
    if not content:
        for post in page.posts:
            del post["content"]
    return page


async def tags(db: Database, tenant_id: UUID) -> tuple[list[dict[str, Any]], datetime | None]:
    """Return the tags of published posts with their counts, the most frequent first; and the time of DUE_SQL."""
    ((counts, due),) = await db.read(tenant_id, _TAGS, {"tenant": tenant_id})
    return counts, due


async def post(db: Database, tenant_id: UUID, slug: str) -> tuple[dict[str, Any], UUID]:
    """Return a published post and its id. Raise NotFound."""
    rows = await db.read(tenant_id, _ONE, {"tenant": tenant_id, "slug": slug}, row=_OnePost)
    if not rows:
        raise NotFound("That post doesn't exist or is no longer published.")
    (found,) = rows
    return card(found.card), found.id


async def renamed_slug(db: Database, tenant_id: UUID, slug: str) -> str | None:
    """Return the slug of the published post that had this slug before, or None."""
    return await db.read_value(str, tenant_id, _RENAMED, {"tenant": tenant_id, "slug": slug})


async def related(
    db: Database, tenant_id: UUID, post_id: UUID, tags: Sequence[Mapping[str, str]]
) -> list[dict[str, Any]]:
    """Return published posts to read next, those with the most tags in common first."""
    slugs = [tag["slug"] for tag in tags]
    params = {"tenant": tenant_id, "id": post_id, "tags": slugs}
    return [card(stored) for stored in await db.read_values(dict[str, Any], tenant_id, _RELATED, params)]


async def index(db: Database, tenant_id: UUID, limit: int) -> list[PostEntry]:
    """Return the newest posts, for feeds."""
    return await db.read(tenant_id, _INDEX, {"tenant": tenant_id, "limit": limit}, row=PostEntry)


async def addresses(db: Database, tenant_id: UUID, limit: int) -> list[PostAddress]:
    """Return the addresses of the newest posts, for the sitemap: without their text, which can be megabytes."""
    return await db.read(tenant_id, _ADDRESSES, {"tenant": tenant_id, "limit": limit}, row=PostAddress)
