import { CommunityBanner } from "../../../components/community-banner";
import { SiteHead } from "../../../components/layout/site-head";
import { OfferedCategories } from "../../../components/offered-categories";
import { PackageOffers } from "../../../components/package-offers";
import { ServiceCards } from "../../../components/service-cards";
import { PageHeading } from "../../../components/ui/page-heading";
import { SiteLink } from "../../../components/ui/site-link";
import { aggregateRating } from "../../../lib/aggregate-rating";
import { extraCategories } from "../../../lib/display-rules";
import type { ServicesProps } from "../../../lib/types";
import { useNextStarts } from "../../../lib/use-next-starts";

export function ServicesPage({ site, services, reviews }: ServicesProps) {
  const { guru } = site;
  const purpose = site.takesBookings ? `Book a session with ${guru.character}` : `Services of ${guru.character}`;
  const nextStarts = useNextStarts(site, services);
  return (
    <>
      <SiteHead
        site={site}
        path="/services"
        title={`Services · ${guru.character}`}
        description={`${purpose}: ${services.map((service) => service.name).join(", ")}.`}
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
              ...aggregateRating(reviews.services[service.id]),
              offers: { "@type": "Offer", price: service.price, priceCurrency: service.currency },
            },
          })),
        }}
      />
      <div className="container page">
        <PageHeading eyebrow="Services" title={`Learn with ${guru.character}`}>
          <p className="intro">Clear prices, no fine print. Pick what fits, or ask about something custom.</p>
          <OfferedCategories categories={extraCategories(guru)} />
        </PageHeading>
        <ServiceCards site={site} services={services} reviews={reviews} nextStarts={nextStarts} level={2} allPictures />
        <PackageOffers site={site} services={services} />
        <p className="page-note">
          Not sure which one?{" "}
          <SiteLink className="text-link" href="/contact">
            Ask {guru.character}
          </SiteLink>
          . It's free.
        </p>
      </div>
      <CommunityBanner site={site} />
    </>
  );
}
