import { CommunityBanner } from "../../../components/community-banner";
import { SiteHead } from "../../../components/layout/site-head";
import { GuruFacts } from "../../../components/guru-facts";
import { OfferedCategories } from "../../../components/offered-categories";
import { PictureList } from "../../../components/picture-list";
import { ServiceCard } from "../../../components/service-card";
import { StatsList } from "../../../components/stats-list";
import { Icon } from "../../../components/ui/icon";
import { PageHeading } from "../../../components/ui/page-heading";
import { VerifiedBadge } from "../../../components/verified-badge";
import { capitalize } from "../../../lib/capitalize";
import { beginsWith } from "../../../lib/plain-text";
import { extraCategories, featuredService } from "../../../lib/display-rules";
import type { AboutProps } from "../../../lib/types";
import { useCurrentUser } from "../../../lib/use-current-user";
import { useNextStarts } from "../../../lib/use-next-starts";

export function AboutPage({ site, about, gallery, stats, facts, services }: AboutProps) {
  const { guru } = site;
  const user = useCurrentUser();
  const nextStarts = useNextStarts(site, services);
  const featured = featuredService(services);
  return (
    <>
      <SiteHead
        site={site}
        path="/about"
        type="profile"
        title={`About ${guru.character}`}
        description={guru.tagline === "" ? guru.seo.description : guru.tagline}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "AboutPage",
          url: `${site.origin}/about`,
          mainEntity: { "@type": "Person", name: guru.character, knowsAbout: guru.primarySkills },
        }}
      />
      <div className="container page">
        <PageHeading eyebrow="About" title={guru.character}>
          {guru.tagline !== "" && !beginsWith(about, guru.tagline) && <p className="intro">{guru.tagline}</p>}
        </PageHeading>
        <div className="with-sidebar">
          <div>
            {about.trim() === "" ? (
              <p className="empty-state">{guru.character} hasn't added a bio yet.</p>
            ) : (
              <div className="prose" dangerouslySetInnerHTML={{ __html: about }} />
            )}
          </div>
          <aside className="sidebar" aria-label="At a glance">
            <div className="panel">
              <h2 className="panel-title">
                At a glance
                {guru.verified && <VerifiedBadge />}
              </h2>
              <ul className="icon-list">
                <li>
                  <Icon name="sparkles" />
                  {capitalize(guru.category)}
                </li>
                {guru.city !== "" && (
                  <li>
                    <Icon name="map-pin" />
                    {guru.city}
                  </li>
                )}
              </ul>
              <GuruFacts facts={facts} services={services} />
              <OfferedCategories categories={extraCategories(guru)} />
              {guru.primarySkills.length > 0 && (
                <ul className="chips" aria-label="Skills">
                  {guru.primarySkills.map((skill) => (
                    <li key={skill}>{skill}</li>
                  ))}
                </ul>
              )}
            </div>
            {featured !== undefined && (
              <ServiceCard site={site} service={featured} user={user} nextStarts={nextStarts} level={2} />
            )}
          </aside>
        </div>
        {gallery.pictures.length > 0 && (
          <section className="about-gallery" id="pictures" aria-labelledby="pictures-title">
            <h2 id="pictures-title">Pictures</h2>
            <PictureList className="picture-grid" pictures={gallery.pictures} />
          </section>
        )}
        <StatsList stats={stats} />
      </div>
      <CommunityBanner site={site} />
    </>
  );
}
