import { CommunityBanner } from "../../../components/community-banner";
import { SiteHead } from "../../../components/layout/site-head";
import { GuruFacts } from "../../../components/guru-facts";
import { OfferedCategories } from "../../../components/offered-categories";
import { Picture } from "../../../components/picture";
import { PostCard } from "../../../components/post-card";
import { ServiceCards } from "../../../components/service-cards";
import { StatsList } from "../../../components/stats-list";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import { VerifiedBadge } from "../../../components/verified-badge";
import { hasTimes } from "../../../lib/booking";
import { capitalize } from "../../../lib/capitalize";
import { extraCategories, heroChips, hasViewAll, skillSentence } from "../../../lib/display-rules";
import type { HomeProps, Picture as PictureData, Site } from "../../../lib/types";
import { useNextStarts } from "../../../lib/use-next-starts";
import { HeroArt, HeroPortrait } from "../components/hero-art";
import { HeroBooking } from "../components/hero-booking";
import { HomeGallery } from "../components/home-gallery";
import { HeroReview } from "../components/hero-review";
import { NewestReviews } from "../components/newest-reviews";

/** Longer names get a smaller font. */
const MAX_FULL_SIZE_NAME_LENGTH = 24;

export function HomePage({ site, featuredPosts, gallery, services, stats, facts, reviews }: HomeProps) {
  const { guru } = site;
  const nextStarts = useNextStarts(site, services);
  const chips = heroChips(guru.primarySkills);
  const sentence = skillSentence(guru.primarySkills);
  const hasStarts = services.some((service) => hasTimes(site, service));
  return (
    <>
      <SiteHead
        site={site}
        path="/"
        type="profile"
        title={guru.seo.title}
        description={guru.seo.description}
        jsonLd={personJsonLd(site, gallery.hero)}
      />
      <section className="hero">
        <div className="container hero-grid">
          <div className="hero-text">
            <p className="eyebrow">
              {capitalize(guru.category)}
              {guru.city !== "" && <span>{guru.city}</span>}
              {guru.verified && <VerifiedBadge />}
            </p>
            <div className="hero-name">
              <HeroPortrait theme={guru.theme} photoUrl={guru.photoUrl} />
              <h1 className={guru.character.length > MAX_FULL_SIZE_NAME_LENGTH ? "long-name" : undefined}>
                {guru.character}
              </h1>
            </div>
            {guru.tagline !== "" && <p className="intro">{guru.tagline}</p>}
            <GuruFacts facts={facts} services={services} />
            <HeroReview reviews={reviews} services={services} />
            <HeroBooking site={site} services={services} nextStarts={nextStarts} />
            {sentence !== "" && <p className="hero-sentence">Learn {sentence} at your own pace, close to home.</p>}
            {chips.length > 0 && (
              <ul className="chips" aria-label="Skills">
                {chips.map((skill) => (
                  <li key={skill}>{skill}</li>
                ))}
              </ul>
            )}
            <OfferedCategories categories={extraCategories(guru)} />
            <div className="actions">
              <SiteLink className={hasStarts ? "button button-secondary" : "button"} href="/services">
                See services
              </SiteLink>
              <SiteLink className="button button-secondary" href="/contact">
                Ask a question
              </SiteLink>
            </div>
          </div>
          {gallery.hero === null ? (
            <HeroArt theme={guru.theme} photoUrl={guru.photoUrl} />
          ) : (
            <Picture className="hero-picture" picture={gallery.hero} isFirst />
          )}
        </div>
        <div className="container">
          <StatsList stats={stats} />
        </div>
      </section>

      <section className="container section home-services" aria-labelledby="services">
        <div className="section-heading">
          <h2 id="services">Work with {guru.character}</h2>
        </div>
        <ServiceCards site={site} services={services} reviews={reviews} nextStarts={nextStarts} level={3} />
      </section>

      <HomeGallery pictures={gallery.pictures} />

      {featuredPosts.length > 0 && (
        <section className="container section home-posts" aria-labelledby="resources">
          <div className="section-heading">
            <h2 id="resources">Featured learning resources</h2>
            {hasViewAll(featuredPosts) && (
              <SiteLink className="arrow-link" href="/blog">
                View All Resources
                <Icon name="arrow-right" />
              </SiteLink>
            )}
          </div>
          <div className="cards">
            {featuredPosts.map((post) => (
              <PostCard key={post.id} post={post} />
            ))}
          </div>
        </section>
      )}

      <NewestReviews reviews={reviews} guru={guru.character} />

      <CommunityBanner site={site} />
    </>
  );
}

/** The guru, for search engines, with their portrait, else the picture at the top. */
function personJsonLd({ guru, origin }: Site, hero: PictureData | null): object {
  const image = guru.photoUrl === "" ? hero?.path : guru.photoUrl;
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: `${origin}/`,
    mainEntity: {
      "@type": "Person",
      name: guru.character,
      description: guru.seo.description,
      knowsAbout: [...guru.primarySkills, ...guru.categories.map(({ name }) => name)],
      // JSON leaves out what is undefined.
      image: image?.replace(/^\//, `${origin}/`),
      homeLocation: guru.city === "" ? undefined : { "@type": "Place", name: guru.city },
    },
  };
}
