import { SiteHead } from "../../../components/layout/site-head";
import { PostCard, tagHref } from "../../../components/post-card";
import { Icon } from "../../../components/ui/icon";
import { PageHeading } from "../../../components/ui/page-heading";
import { SiteLink } from "../../../components/ui/site-link";
import type { BlogProps, PostCard as PostCardData, TagCount } from "../../../lib/types";

const MAX_TAGS = 12;

export function BlogPage({ site, posts, tags, tag, olderCursor, newer }: BlogProps) {
  const { guru } = site;
  const base = tag === null ? "/blog" : tagHref(tag);
  const name = tag === null ? null : tagName(tag, posts);
  return (
    <>
      <SiteHead
        site={site}
        path={base}
        title={`${name ?? "Blog"} · ${guru.character}`}
        description={`${name === null ? "Learning resources" : `Learning resources on ${name}`} by ${guru.character}. ${guru.tagline}`.trim()}
        noIndex={newer}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "Blog",
          url: site.origin + base,
          name: `${guru.character}: blog`,
          blogPost: posts.map((post) => ({
            "@type": "BlogPosting",
            headline: post.title,
            url: `${site.origin}/blog/${encodeURIComponent(post.slug)}`,
            datePublished: post.publishedAt,
          })),
        }}
      />
      <div className="container page">
        <PageHeading eyebrow={tag === null ? guru.character : "Posts about"} title={name ?? "Learning resources"}>
          {tag === null && <p className="intro">Tips, how-tos, and answers to the questions neighbors ask most.</p>}
        </PageHeading>
        {tags.length > 0 && <TagNav tags={tags} tag={tag} />}
        {posts.length > 0 ? (
          <div className="cards">
            {posts.map((post, index) => (
              <PostCard key={post.id} post={post} level={2} wide={index === 0 && !newer && posts.length >= 4} />
            ))}
          </div>
        ) : (
          <p className="empty-state">
            {tag === null ? "No posts yet. Check back soon." : "No posts with this tag yet."}
          </p>
        )}
        {(olderCursor !== null || newer) && (
          <nav className="pagination" aria-label="Pages">
            {newer ? (
              <SiteLink className="button button-secondary" href={base}>
                <Icon name="arrow-left" />
                Newest posts
              </SiteLink>
            ) : (
              <span />
            )}
            {olderCursor !== null && (
              <SiteLink className="button button-secondary" href={`${base}/older/${encodeURIComponent(olderCursor)}`}>
                Older posts
                <Icon name="arrow-right" />
              </SiteLink>
            )}
          </nav>
        )}
      </div>
    </>
  );
}

/** Return the name of a tag as its newest post has it. */
function tagName(slug: string, posts: readonly PostCardData[]): string {
  return posts.flatMap((post) => post.tags).find((tag) => tag.slug === slug)?.name ?? slug;
}

function TagNav({ tags, tag }: { tags: TagCount[]; tag: string | null }) {
  return (
    <nav className="tag-filter" aria-label="Tags">
      <ul>
        <li>
          <SiteLink href="/blog" aria-current={tag === null ? "true" : undefined}>
            All
          </SiteLink>
        </li>
        {tags.slice(0, MAX_TAGS).map(({ slug, name, count }) => (
          <li key={slug}>
            <SiteLink href={tagHref(slug)} aria-current={slug === tag ? "true" : undefined}>
              {name} <span className="tag-count">{count}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
