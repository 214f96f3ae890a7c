import { formatDate } from "../display/date";
import { excerpt } from "../display/excerpt";
import { cardTags } from "../display/limits";
import { formatViews } from "../display/numbers";
import { Icon } from "../ui/icon";
import { Cover } from "./cover";
import { SiteLink } from "./site-link";
import type { PostCard as PostCardData } from "./types";

interface PostCardProps {
  post: PostCardData;
  /** Heading level that fits the page's outline. */
  level?: 2 | 3;
  wide?: boolean;
}

export function PostCard({ post, level = 3, wide = false }: PostCardProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <article className={wide ? "card card-wide" : "card"}>
      <Cover seed={post.slug} />
      <div className="card-body">
        <Heading className="card-title">
          <SiteLink href={`/blog/${encodeURIComponent(post.slug)}`}>{post.title}</SiteLink>
        </Heading>
        <p className="card-text">{excerpt(post)}</p>
        <TagList tags={cardTags(post)} />
        <PostFacts post={post} />
      </div>
    </article>
  );
}

export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <SiteLink className="tag" href={tagHref(tag)}>
            {tag}
          </SiteLink>
        </li>
      ))}
    </ul>
  );
}

export function PostFacts({ post }: { post: PostCardData }) {
  const date = formatDate(post.publishedAt);
  return (
    <p className="facts">
      {date !== "" && <time dateTime={post.publishedAt}>{date}</time>}
      <span>
        <Icon name="clock" />
        {post.readTime}
      </span>
      {post.views > 0 && (
        <span>
          <Icon name="eye" />
          {formatViews(post.views)} views
        </span>
      )}
    </p>
  );
}

export function tagHref(tag: string): string {
  return `/blog/tag/${encodeURIComponent(tag)}`;
}
