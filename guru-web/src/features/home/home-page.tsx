import { capitalise } from "../../display/capitalise";
import { heroChips, showsViewAll, skillSentence } from "../../display/limits";
import { Community } from "../../site/community";
import { Offered, VerifiedBadge } from "../../site/offered";
import { PostCard } from "../../site/post-card";
import { ServiceCard } from "../../site/service-card";
import { SiteHead } from "../../site/site-head";
import { SiteLink } from "../../site/site-link";
import { StatsList } from "../../site/stats-list";
import type { HomeProps } from "../../site/types";
import { useNeighbour } from "../../site/use-neighbour";
import { Icon } from "../../ui/icon";
import { HeroArt } from "./hero-art";

/** From this many letters on a name is set smaller. */
const LONG_NAME = 24;

export function HomePage({ site, featuredPosts, services, stats }: HomeProps) {
  const { guru } = site;
  const neighbour = useNeighbour();
  const chips = heroChips(guru.primarySkills);
  const sentence = skillSentence(guru.primarySkills);
  return (
    <>
      <SiteHead
        site={site}
        path="/"
        type="profile"
        title={guru.seo.title}
        description={guru.seo.description}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "ProfilePage",
          url: `${site.origin}/`,
          mainEntity: {
            "@type": "Person",
            name: guru.character,
            description: guru.seo.description,
            knowsAbout: [...guru.primarySkills, ...guru.categories.map(({ name }) => name)],
            ...(guru.photoUrl === "" ? {} : { image: guru.photoUrl }),
            ...(guru.city === "" ? {} : { homeLocation: { "@type": "Place", name: guru.city } }),
          },
        }}
      />
      <section className="hero">
        <div className="wrap hero-grid">
          <div className="hero-text">
            <p className="eyebrow">
              {capitalise(guru.category)}
              {guru.city !== "" && <span>{guru.city}</span>}
              {guru.verified && <VerifiedBadge />}
            </p>
            <h1 className={guru.character.length > LONG_NAME ? "long" : undefined}>{guru.character}</h1>
            {guru.tagline !== "" && <p className="lead">{guru.tagline}</p>}
            {sentence !== "" && <p className="hero-sentence">Learn {sentence} at your own pace, with somebody from the neighbourhood.</p>}
            {chips.length > 0 && (
              <ul className="chips" aria-label="Skills">
                {chips.map((skill) => (
                  <li key={skill}>{skill}</li>
                ))}
              </ul>
            )}
            <Offered guru={guru} />
            <div className="actions">
              <SiteLink className="button" href="/services">
                See services
              </SiteLink>
              <SiteLink className="button button-quiet" href="/contact">
                Ask a question
              </SiteLink>
            </div>
          </div>
          <HeroArt theme={guru.theme} photo={guru.photoUrl} />
        </div>
        <div className="wrap">
          <StatsList stats={stats} />
        </div>
      </section>

      <section className="wrap section" aria-labelledby="resources">
        <div className="section-heading">
          <h2 id="resources">Featured learning resources</h2>
          {showsViewAll(featuredPosts) && (
            <SiteLink className="more" href="/blog">
              View All Resources
              <Icon name="arrow-right" />
            </SiteLink>
          )}
        </div>
        {featuredPosts.length > 0 ? (
          <div className="cards">
            {featuredPosts.map((post) => (
              <PostCard key={post.id} post={post} />
            ))}
          </div>
        ) : (
          <p className="empty">The first resources are being written. Until then, {guru.character} is happy to answer questions.</p>
        )}
      </section>

      <section className="wrap section" aria-labelledby="services">
        <div className="section-heading">
          <h2 id="services">Work with {guru.character}</h2>
        </div>
        {services.length > 0 ? (
          <div className="offers">
            {services.map((service) => (
              <ServiceCard key={service.id} site={site} service={service} neighbour={neighbour} />
            ))}
          </div>
        ) : (
          <p className="empty">Nothing is on offer at the moment. Send a message and ask what is possible.</p>
        )}
      </section>

      <Community site={site} />
    </>
  );
}
