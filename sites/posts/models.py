"""Posts of a guru's blog, their edits and their view counts."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index, Integer, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class Post(TenantOwned, Base):
    """A post. With a publication time in the future it is scheduled: queries for visitors leave it out until then.

    `old_slugs` redirect to the post: it was published under them, and no other post was published under them since.

    `tags` are slugs, which the URLs of tag pages have; `tag_names` are what the guru typed, in the same order.

    `content_html` is `content_markdown`, rendered and sanitized when it was saved. The cover is its first uploaded
    picture.

    A hidden post was taken off the site by an admin, for `hidden_reason`. Its guru can change it, not publish it.
    """

    __tablename__ = "posts"
    __table_args__ = (
        UniqueConstraint("tenant_id", "slug"),
        CheckConstraint("status IN ('draft', 'published', 'hidden')", name="status"),
        CheckConstraint("(status = 'hidden') = (hidden_reason <> '')", name="hidden"),
        CheckConstraint("status = 'draft' OR published_at IS NOT NULL", name="published"),
        ForeignKeyConstraint(
            ["tenant_id", "cover_id"], ["site_images.tenant_id", "site_images.id"], ondelete="SET NULL (cover_id)"
        ),
        Index("ix_posts_tenant_id_published_at_id", "tenant_id", "published_at", "id"),
        Index("ix_posts_tenant_id_renamed", "tenant_id", postgresql_where=text("old_slugs <> '{}'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    slug: Mapped[str]
    title: Mapped[str]
    tags: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    excerpt: Mapped[str] = mapped_column(server_default="")
    content_markdown: Mapped[str] = mapped_column(server_default="")
    content_html: Mapped[str] = mapped_column(server_default="")
    words: Mapped[int] = mapped_column(Integer, server_default="0")
    status: Mapped[str] = mapped_column(server_default="draft")
    published_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    cover_id: Mapped[UUID | None]
    cover_alt: Mapped[str] = mapped_column(server_default="")
    old_slugs: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    tag_names: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    hidden_reason: Mapped[str] = mapped_column(server_default="")


class PostViews(TenantOwned, Base):
    """The number of views of a post. A table of its own, so that counting never updates the post's row."""

    __tablename__ = "post_views"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "post_id"], ["posts.tenant_id", "posts.id"], ondelete="CASCADE"),
    )

    post_id: Mapped[UUID] = mapped_column(primary_key=True)
    views: Mapped[int] = mapped_column(BigInteger, server_default="0")


class PostEdit(TenantOwned, Base):
    """The state of a post's editor. Writing here changes no page of the site.

    `revision` counts saves and autosaves; each names the revision that it is based on. `working_copy` is the content
    autosaved since the last save: {title, slug, tags, excerpt, content}.
    """

    __tablename__ = "post_edits"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "post_id"], ["posts.tenant_id", "posts.id"], ondelete="CASCADE"),
    )

    post_id: Mapped[UUID] = mapped_column(primary_key=True)
    revision: Mapped[int] = mapped_column(BigInteger, server_default="1")
    working_copy: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    saved_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
