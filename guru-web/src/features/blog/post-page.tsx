import { excerpt } from "../../display/excerpt";
import { GuruMark } from "../../site/guru-mark";
import { PostCard, PostFacts, TagList } from "../../site/post-card";
import { SiteHead } from "../../site/site-head";
import { SiteLink } from "../../site/site-link";
import type { PostProps } from "../../site/types";
import { Icon } from "../../ui/icon";

export function PostPage({ site, post, related }: PostProps) {
  const { guru } = site;
  const path = `/blog/${encodeURIComponent(post.slug)}`;
  const description = excerpt(post);
  return (
    <>
      <SiteHead
        site={site}
        path={path}
        type="article"
        title={`${post.title} · ${guru.character}`}
        description={description}
        image={`/og${path}.png`}
        publishedAt={post.publishedAt}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "BlogPosting",
          headline: post.title,
          description,
          url: site.origin + path,
          image: `${site.origin}/og${path}.png`,
          datePublished: post.publishedAt,
          keywords: post.tags,
          author: { "@type": "Person", name: guru.character, url: `${site.origin}/about` },
        }}
      />
      <article className="wrap page post">
        <header className="post-heading">
          <p>
            <SiteLink className="more" href="/blog">
              <Icon name="arrow-left" />
              All resources
            </SiteLink>
          </p>
          <h1>{post.title}</h1>
          <PostFacts post={post} />
        </header>
        <div className="prose" dangerouslySetInnerHTML={{ __html: post.content }} />
        <footer className="post-end">
          <TagList tags={post.tags} />
          <div className="author">
            <GuruMark theme={guru.theme} />
            <div>
              <p className="author-name">{guru.character}</p>
              {guru.tagline !== "" && <p className="quiet">{guru.tagline}</p>}
            </div>
            <SiteLink className="button button-quiet" href="/contact">
              Ask a question
            </SiteLink>
          </div>
          {site.takesReports && (
            <p className="quiet">
              <a href={`/report${path}`} rel="nofollow">
                Report this
              </a>
            </p>
          )}
        </footer>
      </article>
      {related.length > 0 && (
        <section className="wrap section" aria-labelledby="related">
          <div className="section-heading">
            <h2 id="related">Keep reading</h2>
          </div>
          <div className="cards">
            {related.map((card) => (
              <PostCard key={card.id} post={card} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}
