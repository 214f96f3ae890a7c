import { Community } from "../../site/community";
import { Offered } from "../../site/offered";
import { PageHeading } from "../../site/page-heading";
import { ServiceCard } from "../../site/service-card";
import { SiteHead } from "../../site/site-head";
import { SiteLink } from "../../site/site-link";
import type { ServicesProps } from "../../site/types";
import { useNeighbour } from "../../site/use-neighbour";

export function ServicesPage({ site, services }: ServicesProps) {
  const { guru } = site;
  const neighbour = useNeighbour();
  return (
    <>
      <SiteHead
        site={site}
        path="/services"
        title={`Services · ${guru.character}`}
        description={`Book a session with ${guru.character}: ${services.map((service) => service.name).join(", ")}.`}
        jsonLd={{
          "@context": "https://schema.org",
          "@type": "ItemList",
          itemListElement: services.map((service, index) => ({
            "@type": "ListItem",
            position: index + 1,
            item: {
              "@type": "Service",
              name: service.name,
              description: service.description,
              provider: { "@type": "Person", name: guru.character },
              offers: { "@type": "Offer", price: service.price, priceCurrency: service.currency },
            },
          })),
        }}
      />
      <div className="wrap page">
        <PageHeading eyebrow="Services" title={`Learn with ${guru.character}`}>
          <p className="lead">Clear prices, no small print. Choose what fits, or ask for something of your own.</p>
          <Offered guru={guru} />
        </PageHeading>
        {services.length > 0 ? (
          <div className="offers">
            {services.map((service) => (
              <ServiceCard key={service.id} site={site} service={service} neighbour={neighbour} level={2} />
            ))}
          </div>
        ) : (
          <p className="empty">Nothing is on offer at the moment. Send a message and ask what is possible.</p>
        )}
        <p className="aside">
          Not sure which one?{" "}
          <SiteLink className="text-link" href="/contact">
            Ask {guru.character}
          </SiteLink>
          , it costs nothing.
        </p>
      </div>
      <Community site={site} />
    </>
  );
}
