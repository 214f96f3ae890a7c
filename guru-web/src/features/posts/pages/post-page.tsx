import { GuruLogo } from "../../../components/guru-logo";
import { SiteHead } from "../../../components/layout/site-head";
import { PostCard, PostMeta, TagList } from "../../../components/post-card";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import { excerpt } from "../../../lib/excerpt";
import type { PostProps } from "../../../lib/types";
import { ShareButton } from "../components/share-button";
import { TitleText } from "../../../components/ui/title-text";

export function PostPage({ site, post, related }: PostProps) {
  const { guru } = site;
  const path = `/blog/${encodeURIComponent(post.slug)}`;
  const description = excerpt(post);
  // The social card shows the uploaded picture, else the title.
  const image = `/og${path}.${post.cover === null ? "png" : "jpg"}`;
  const author = guru.photoUrl === "" ? <GuruLogo theme={guru.theme} /> : <AuthorPhoto url={guru.photoUrl} />;
  return (
    <>
      <SiteHead
        site={site}
        path={path}
        type="article"
        title={`${post.title} · ${guru.character}`}
        description={description}
        image={image}
        imageAlt={post.cover !== null && post.cover.alt !== "" ? post.cover.alt : post.title}
        publishedAt={post.publishedAt}
        updatedAt={post.updatedAt}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "BlogPosting",
          headline: post.title,
          description,
          url: site.origin + path,
          mainEntityOfPage: site.origin + path,
          image: { "@type": "ImageObject", url: site.origin + image, width: 1200, height: 630 },
          datePublished: post.publishedAt,
          dateModified: post.updatedAt,
          keywords: post.tags.map((tag) => tag.name),
          author: { "@type": "Person", name: guru.character, url: `${site.origin}/about` },
          publisher: {
            "@type": "Organization",
            name: guru.character,
            url: `${site.origin}/`,
            logo: { "@type": "ImageObject", url: `${site.origin}/apple-touch-icon.png`, width: 180, height: 180 },
          },
        }}
      />
      <article className="container page post">
        <header className="post-header">
          <p>
            <SiteLink className="arrow-link" href="/blog">
              <Icon name="arrow-left" />
              All resources
            </SiteLink>
          </p>
          <h1>
            <TitleText>{post.title}</TitleText>
          </h1>
          <div className="byline">
            {author}
            <div>
              <p>
                By{" "}
                <SiteLink className="byline-name" href="/about">
                  {guru.character}
                </SiteLink>
              </p>
              <PostMeta post={post} />
            </div>
            <ShareButton title={post.title} url={site.origin + path} />
          </div>
        </header>
        <div className="prose" dangerouslySetInnerHTML={{ __html: post.content }} />
        <footer className="post-footer">
          <TagList tags={post.tags} />
          <div className="author">
            {author}
            <div>
              <p className="author-name">{guru.character}</p>
              {guru.tagline !== "" && <p className="muted">{guru.tagline}</p>}
            </div>
            <SiteLink className="button button-secondary" href="/contact">
              Ask a question
            </SiteLink>
          </div>
          {site.takesReports && (
            <p className="muted">
              <a href={`/report${path}`} rel="nofollow">
                Report this
              </a>
            </p>
          )}
        </footer>
      </article>
      {related.length > 0 && (
        <section className="container section" aria-labelledby="related">
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

function AuthorPhoto({ url }: { url: string }) {
  return <img className="author-photo" src={url} alt="" referrerPolicy="no-referrer" loading="lazy" decoding="async" />;
}
