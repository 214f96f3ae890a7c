import { capitalise } from "../../display/capitalise";
import { Community } from "../../site/community";
import { Offered, VerifiedBadge } from "../../site/offered";
import { PageHeading } from "../../site/page-heading";
import { ServiceCard } from "../../site/service-card";
import { SiteHead } from "../../site/site-head";
import { StatsList } from "../../site/stats-list";
import type { AboutProps } from "../../site/types";
import { useNeighbour } from "../../site/use-neighbour";
import { Icon } from "../../ui/icon";

export function AboutPage({ site, about, stats, services }: AboutProps) {
  const { guru } = site;
  const neighbour = useNeighbour();
  const popular = services.find((service) => service.popular) ?? services[0];
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
      <div className="wrap page">
        <PageHeading eyebrow="About" title={guru.character}>
          {guru.tagline !== "" && <p className="lead">{guru.tagline}</p>}
        </PageHeading>
        <div className="beside">
          <div>
            {about.trim() === "" ? (
              <p className="empty">{guru.character} has not written about themselves yet.</p>
            ) : (
              <div className="prose" dangerouslySetInnerHTML={{ __html: about }} />
            )}
          </div>
          <aside className="beside-cards" aria-label="At a glance">
            <div className="panel">
              <h2 className="panel-title">
                At a glance
                {guru.verified && <VerifiedBadge />}
              </h2>
              <ul className="glance">
                <li>
                  <Icon name="sparkles" />
                  {capitalise(guru.category)}
                </li>
                {guru.city !== "" && (
                  <li>
                    <Icon name="map-pin" />
                    {guru.city}
                  </li>
                )}
              </ul>
              <Offered guru={guru} />
              {guru.primarySkills.length > 0 && (
                <ul className="chips" aria-label="Skills">
                  {guru.primarySkills.map((skill) => (
                    <li key={skill}>{skill}</li>
                  ))}
                </ul>
              )}
            </div>
            {popular !== undefined && <ServiceCard site={site} service={popular} neighbour={neighbour} level={2} />}
          </aside>
        </div>
        <StatsList stats={stats} />
      </div>
      <Community site={site} />
    </>
  );
}
