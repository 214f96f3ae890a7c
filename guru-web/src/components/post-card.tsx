import { cardTags, visibleViews } from "../lib/display-rules";
import { excerpt } from "../lib/excerpt";
import { formatDate } from "../lib/format-date";
import type { PostCard as PostCardData, Tag } from "../lib/types";
import { PostCover } from "./post-cover";
import { Icon } from "./ui/icon";
import { SiteLink } from "./ui/site-link";
import { TitleText } from "./ui/title-text";

interface PostCardProps {
  post: PostCardData;
  /** Heading level in the page's outline. */
  level?: 2 | 3;
  wide?: boolean;
}

export function PostCard({ post, level = 3, wide = false }: PostCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <article className={wide ? "card card-wide" : "card"}>
      <PostCover post={post} wide={wide} />
      <div className="card-body">
        <Heading className="card-title">
          <SiteLink href={`/blog/${encodeURIComponent(post.slug)}`}>
            <TitleText>{post.title}</TitleText>
          </SiteLink>
        </Heading>
        <p className="card-text">{excerpt(post)}</p>
        <TagList tags={cardTags(post)} />
        <PostMeta post={post} />
      </div>
    </article>
  );
}

export function TagList({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map(({ slug, name }) => (
        <li key={slug}>
          <SiteLink className="tag" href={tagHref(slug)}>
            {name}
          </SiteLink>
        </li>
      ))}
    </ul>
  );
}

export function PostMeta({ post }: { post: PostCardData }) {
  const date = formatDate(post.publishedAt);
  const views = visibleViews(post.views);
  return (
    <p className="post-meta">
      {date !== "" && <time dateTime={post.publishedAt}>{date}</time>}
      <span>
        <Icon name="clock" />
        {post.readTime}
      </span>
      {views !== null && (
        <span>
          <Icon name="eye" />
          {views} views
        </span>
      )}
    </p>
  );
}

export function tagHref(slug: string): string {
  return `/blog/tag/${encodeURIComponent(slug)}`;
}
