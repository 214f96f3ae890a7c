import { PageHeading } from "../../site/page-heading";
import { PostCard, tagHref } from "../../site/post-card";
import { SiteHead } from "../../site/site-head";
import { SiteLink } from "../../site/site-link";
import type { BlogProps, Tag } from "../../site/types";
import { Icon } from "../../ui/icon";

const TAGS_SHOWN = 12;

export function BlogPage({ site, posts, tags, tag, olderCursor, newer }: BlogProps) {
  const { guru } = site;
  const base = tag === null ? "/blog" : tagHref(tag);
  return (
    <>
      <SiteHead
        site={site}
        path={base}
        title={`${tag ?? "Blog"} · ${guru.character}`}
        description={`${tag === null ? "Learning resources" : `Learning resources on ${tag}`} by ${guru.character}. ${guru.tagline}`.trim()}
        hidden={newer}
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
      <div className="wrap page">
        <PageHeading eyebrow={tag === null ? guru.character : "Posts about"} title={tag ?? "Learning resources"}>
          {tag === null && <p className="lead">Notes, how-tos and answers to the questions neighbours ask most.</p>}
        </PageHeading>
        {tags.length > 0 && <TagNav tags={tags} tag={tag} />}
        {posts.length > 0 ? (
          <div className="cards">
            {posts.map((post, index) => (
              <PostCard key={post.id} post={post} level={2} wide={index === 0 && !newer && posts.length >= 4} />
            ))}
          </div>
        ) : (
          <p className="empty">{tag === null ? "The first resources are being written." : "Nothing is filed under this tag yet."}</p>
        )}
        {(olderCursor !== null || newer) && (
          <nav className="pager" aria-label="Pages">
            {newer ? (
              <SiteLink className="button button-quiet" href={base}>
                <Icon name="arrow-left" />
                Newest posts
              </SiteLink>
            ) : (
              <span />
            )}
            {olderCursor !== null && (
              <SiteLink className="button button-quiet" href={`${base}/older/${encodeURIComponent(olderCursor)}`}>
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

function TagNav({ tags, tag }: { tags: Tag[]; tag: string | null }) {
  return (
    <nav className="filter" aria-label="Tags">
      <ul>
        <li>
          <SiteLink href="/blog" aria-current={tag === null ? "true" : undefined}>
            All
          </SiteLink>
        </li>
        {tags.slice(0, TAGS_SHOWN).map(({ name, count }) => (
          <li key={name}>
            <SiteLink href={tagHref(name)} aria-current={name === tag ? "true" : undefined}>
              {name} <span className="count">{count}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
